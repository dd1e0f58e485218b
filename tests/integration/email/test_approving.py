"""A dangerous call and mail: it is asked and allowed by mail only where the configuration says so."""

from pathlib import Path

import pytest

from playground.mail.post import Handed, Post
from tests.harness import tools as bench
from tests.harness.dovecot import Dovecot
from tests.integration.busy.test_approvals import TOOLS, aims, last_id
from tests.integration.email.desk import ANN, mailing, written

ELSEWHERE = {
    "access": {"people": [{"name": "Ann", "role": "user", "identities": [f"email:{ANN}", "terminal:ann"]}]},
    **TOOLS,
}


async def latest(post: Post, count: int) -> Handed:
    return (await post.handed(count))[-1]


@pytest.mark.requirement("C5.20")
async def test_where_it_is_switched_on_a_mail_asks_and_a_mail_allows_in_one_thread(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post, house=TOOLS, approvals=True) as house:
        aims(house, "moon")
        dovecot.deliver(written("fire", message_id="<one@ex.org>"))
        question = await latest(post, 1)
        name = await last_id(house)
        assert f"/choose {name} once" in question.text
        ours = question.mail["Message-ID"]
        more = {"In_Reply_To": ours, "References": f"<one@ex.org> {ours}"}
        dovecot.deliver(written(f"/approve {name}\n\n> May I use launch_now?\n", message_id="<two@ex.org>", **more))
        await post.handed(3)
        await house.quiet()
    assert bench.did == ["launch at moon"]
    said = {one.text.replace("\\", ""): one.mail["References"].split()[0] for one in post.mails}
    assert set(said.values()) == {"<one@ex.org>"}
    assert {"Allowed: launch_now, this once.", "all told"} < said.keys()


@pytest.mark.requirement("C5.20")
async def test_else_it_is_asked_on_another_platform_and_no_mail_allows_it(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post, house=ELSEWHERE) as house:
        desk = await house.terminal("ann")
        await desk.say("hello")
        await desk.wait_for("hello")
        await house.quiet()
        aims(house, "moon")
        dovecot.deliver(written("fire"))
        await desk.wait_for("May I use")
        name = await last_id(house)
        dovecot.deliver(written(f"/approve {name} always", message_id="<two@ex.org>"))
        refusal = await latest(post, 1)
        assert "cannot allow this" in refusal.text
        assert bench.did == []
        dovecot.deliver(written(f"/deny {name}", message_id="<three@ex.org>"))
        await post.handed(3)
        await house.quiet()
        await desk.close()
    assert bench.did == []
    assert any("Not allowed" in one.text for one in post.mails)


@pytest.mark.requirement("C5.20")
async def test_who_can_be_asked_nowhere_else_is_denied_at_once(tmp_path: Path, dovecot: Dovecot, post: Post) -> None:
    async with mailing(tmp_path, dovecot, post, house=TOOLS) as house:
        aims(house, "moon")
        dovecot.deliver(written("fire"))
        answer = await latest(post, 1)
        await house.quiet()
    assert answer.text == "all told"
    assert bench.did == []
