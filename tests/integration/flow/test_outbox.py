"""Parts on their way out: in order, each once, classified by what is known of them, and never in silence."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Misconfigured, Moved, Retry, Unsure
from gateway.domain.ids import BlobId, MessageRef
from gateway.domain.messages import Attachment, OutboundMessage, Part
from gateway.services.outbox import Opened
from gateway.store import lanes
from tests.integration.flow.booth import Booth, always, hang
from tests.integration.flow.desk import QUICK, running, talk

LONG = "".join(name.ljust(200, ".") for name in ("one", "two", "three"))  # three parts
FILE = Attachment(kind="document", name="report.pdf", size=1000, blob=BlobId("0" * 64))


@pytest.mark.requirement("B050", "C7.6")
async def test_answers_to_one_conversation_never_interleave(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        await asyncio.gather(*(desk.post(name * 600) for name in "abcd"), *(desk.post("x", talk("bob")) for _ in "12"))
        await desk.settled(*["done"] * 14)
    shown = [text[0] for ref, text in desk.booth.shown.items() if ref.startswith("ann")]
    assert sorted(shown[::3]) == list("abcd")
    assert shown == [name for name in shown[::3] for _ in range(3)]


@pytest.mark.requirement("C7.4")
async def test_every_part_opens_as_a_placeholder_and_is_then_edited(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        await desk.post(LONG)
        await desk.settled("done", "done", "done")
    assert [call.what for call in desk.booth.calls] == ["open", "edit"] * 3
    assert "".join(desk.booth.shown.values()) == LONG


@pytest.mark.requirement("B003")
@pytest.mark.parametrize("what", ["notice", "reply"])
async def test_accepted_without_an_id_counts_as_delivered(tmp_path: Path, what: str) -> None:
    async with running(tmp_path) as desk:
        desk.booth.anonymous = True
        await desk.post("said", what=what)  # type: ignore[arg-type]
        await desk.settled("done")
        desk.jump(3600)
        await desk.post("next", what="notice")
        await desk.settled("done", "done")
    assert list(desk.booth.shown.values()) == ["said", "next"]


@pytest.mark.requirement("C7.10", "C7.5")
async def test_a_notice_to_a_platform_that_hangs_ends_unknown_and_blocks_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["send"].append(hang)
        await desk.post("notice", what="notice")
        await desk.post("answer")
        rows = await desk.until(lambda rows: [row["state"] for row in rows] == ["unknown", "done"])
    assert "no answer from the platform" in rows[0]["why"]
    assert list(desk.booth.shown.values()) == ["answer"]


@pytest.mark.requirement("C7.10", "B070")
async def test_an_edit_that_hangs_is_made_again_with_the_stored_text(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["edit"].append(hang)
        await desk.post("answer")
        await desk.until(lambda rows: rows[0]["waits"] == 1)
        desk.jump(1)
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["answer"]
    assert len(desk.booth.listed("open")) == 1


@pytest.mark.requirement("C7.10", "C7.4")
async def test_a_placeholder_that_hangs_leaves_at_most_an_orphan_and_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.after["open"].append(hang)
        await desk.post("answer")
        await desk.until(lambda rows: rows[0]["waits"] == 1)
        desk.jump(1)
        await desk.settled("done")
        assert await desk.count("SELECT COUNT(*) FROM audit WHERE kind = 'orphan'") == 1
    assert list(desk.booth.shown.values()) == ["…", "answer"]


@pytest.mark.requirement("C7.10")
async def test_a_large_file_gets_the_time_that_it_needs(tmp_path: Path) -> None:
    async def slowly() -> None:
        await asyncio.wait({asyncio.get_running_loop().create_future()}, timeout=desk.pace.call * 2)

    async with running(tmp_path) as desk:
        desk.booth.trouble["send"].append(slowly)
        big = Attachment(kind="video", name="film.mp4", size=500_000, blob=BlobId("0" * 64))
        message = OutboundMessage(key="file", conversation=talk(), attachments=(big,))
        await desk.db.write(lambda work: desk.outbox.post(work, message, what="answer"))
        await desk.settled("done")


@pytest.mark.requirement("B034")
@pytest.mark.parametrize("trouble", [Unsure("cut"), ValueError("a bug"), OSError("a leak")])
async def test_whatever_breaks_off_a_file_in_the_middle_it_is_not_sent_again(
    tmp_path: Path, trouble: Exception
) -> None:
    async with running(tmp_path) as desk:
        desk.booth.after["send"].append(trouble)
        message = OutboundMessage(key="file", conversation=talk(), attachments=(FILE,))
        await desk.db.write(lambda work: desk.outbox.post(work, message, what="answer", turn="file"))
        await desk.post("after it")
        await desk.settled("unknown", "done")
        desk.jump(86400)
        await desk.settled("unknown", "done")
    assert list(desk.booth.shown.values()) == ["<report.pdf>", "after it"]


@pytest.mark.requirement("B035", "C7.5")
async def test_a_file_on_its_way_at_a_stop_is_unknown_after_the_restart(tmp_path: Path) -> None:
    async with running(tmp_path, pace=replace(QUICK, call=60)) as desk:
        desk.booth.trouble["send"].append(hang)
        message = OutboundMessage(key="file", conversation=talk(), attachments=(FILE,))
        await desk.db.write(lambda work: desk.outbox.post(work, message, what="answer", turn="file"))
        await desk.booth.until(lambda: len(desk.booth.calls) == 1)
        await desk.stop()
        desk.start()
        await desk.post("after it")
        await desk.settled("unknown", "done")
    assert len(desk.booth.listed("send")) == 1


@pytest.mark.requirement("B035", "H5")
@pytest.mark.parametrize(("what", "state"), [("notice", "unknown"), ("answer", "done")])
async def test_what_a_dead_process_had_in_its_hands_is_repeated_only_where_that_is_harmless(
    tmp_path: Path, what: str, state: str
) -> None:
    async with running(tmp_path, start=False) as desk:
        await desk.post("said", what=what)  # type: ignore[arg-type]
        heads = lanes.Heads(boot="dead", now=desk.now, slots=9, busy=Counter())
        await desk.db.write(lambda work: lanes.claim(work, "outbox", heads))
        await desk.db.write(lanes.recover)
        desk.start()
        await desk.settled(state)
    assert len(desk.booth.calls) == (0 if state == "unknown" else 2)


@pytest.mark.requirement("B034", "B031")
async def test_what_surely_was_not_delivered_is_sent_again_later_and_later(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["send"] = always(Retry("503"))
        await desk.post("news", what="notice")
        pauses = []
        for waits in range(1, 8):
            (row,) = await desk.until(lambda rows, waits=waits: rows[0]["waits"] == waits)  # type: ignore[misc]
            pauses.append(row["not_before"] - desk.now)
            desk.jump(pauses[-1])
        assert pauses == [1, 1, 2, 4, 8, 16, 32]
        desk.booth.trouble.clear()
        desk.jump(60)
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["news"]


@pytest.mark.requirement("B031")
async def test_what_waits_for_an_account_leaves_when_it_is_known(tmp_path: Path) -> None:
    booth = Booth()
    booth.account = None
    async with running(tmp_path, booth) as desk:
        await desk.post("early")
        desk.jump(60)
        await desk.settled("ready")
        booth.account = "1"
        desk.db.ring("outbox")
        await desk.settled("done")


@pytest.mark.requirement("B031", "B219")
async def test_a_refused_token_parks_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["open"] = always(Misconfigured("unknown token"))
        await desk.post("answer")
        for waits in range(1, 6):
            await desk.until(lambda rows, waits=waits: rows[0]["waits"] == waits)  # type: ignore[misc]
            desk.jump(30)
        desk.booth.trouble.clear()
        desk.jump(30)
        await desk.settled("done")


async def test_a_flood_limit_of_the_account_pauses_the_account_and_no_other(tmp_path: Path) -> None:
    async with running(tmp_path, Booth("1"), Booth("2")) as desk:
        first, second = desk.booths
        first.trouble["open"].append(Retry("429", after=60, account=True))
        await desk.post("one", talk("ann"))
        await desk.until(lambda rows: rows[0]["waits"] == 1)
        await desk.post("two", talk("bob"))
        await desk.post("three", talk("cid", account="2"))
        await desk.settled("ready", "ready", "done")
        assert len(first.calls) == 1
        desk.jump(60)
        await desk.settled("done", "done", "done")
    assert sorted(first.shown.values()) == ["one", "two"]
    assert list(second.shown.values()) == ["three"]


async def test_a_flood_limit_of_one_chat_holds_up_no_other_chat(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["open"].append(Retry("429", after=60))
        await desk.post("one", talk("ann"))
        await desk.until(lambda rows: rows[0]["waits"] == 1)
        await desk.post("two", talk("bob"))
        await desk.settled("ready", "done")
        desk.jump(59)
        await desk.post("three", talk("ann"))
        await desk.settled("ready", "done", "ready")
        desk.jump(1)
        await desk.settled("done", "done", "done")
    assert list(desk.booth.shown.values()) == ["two", "one", "three"]


@pytest.mark.requirement("B030", "B038")
async def test_a_dead_part_parks_the_rest_of_its_answer_and_the_owner_is_told_once_elsewhere(tmp_path: Path) -> None:
    async with running(tmp_path, Booth("1"), Booth("2")) as desk:
        first, second = desk.booths
        await desk.owner(talk("olga", account="2"), talk("olga", account="1"))
        first.trouble["open"].append(GiveUp("Forbidden: bot was kicked"))
        await desk.post(LONG)
        await desk.settled("dead", "dead", "dead", "done")
        await desk.post("goes on")
        await desk.settled("dead", "dead", "dead", "done", "done")
        desk.jump(86400)
        rows = await desk.rows()
    assert [row["why"] for row in rows[1:3]] == ["an earlier part could not be delivered"] * 2
    (notice,) = second.shown.values()
    assert "bot was kicked" in notice
    assert list(first.shown.values()) == ["goes on"]
    assert len(first.listed("open")) == 2


@pytest.mark.requirement("B038")
async def test_a_notice_that_cannot_be_delivered_causes_no_other(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        await desk.owner(talk("olga"))
        desk.booth.trouble["send"] = always(GiveUp("blocked"))
        desk.booth.trouble["open"] = always(GiveUp("blocked"))
        await desk.post("answer")
        await desk.settled("dead", "dead")
        desk.jump(86400)
        await desk.post("again")
        await desk.settled("dead", "dead", "dead", "dead")
    assert len(desk.booth.calls) == 4


async def test_a_text_that_shows_nothing_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        await desk.post("   ")
        await desk.until(lambda rows: bool(rows) and all(row["state"] == "done" for row in rows))
    assert "".join(desk.booth.shown.values()) == "(The model gave no answer.)"


async def test_a_draft_whose_answer_shows_nothing_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.shown["ann.0"] = "…"
        await desk.post(" ", opened=Opened(MessageRef(conversation=talk(), native="ann.0"), None))
        await desk.until(lambda rows: bool(rows) and all(row["state"] == "done" for row in rows))
    assert desk.booth.shown["ann.0"] == "(The model gave no answer.)"


async def test_a_message_that_somebody_deleted_is_opened_anew(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        await desk.post("answer", opened=Opened(MessageRef(conversation=talk(), native="gone"), Part(text="ans")))
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["answer"]


async def test_a_placeholder_that_cannot_be_filled_is_taken_back(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["edit"].append(GiveUp("refused"))
        await desk.post("answer")
        await desk.settled("dead")
    assert desk.booth.shown == {}


@pytest.mark.requirement("B074", "B067")
async def test_what_the_draft_surely_shows_already_is_not_edited_again(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        ref = MessageRef(conversation=talk(), native="ann.0")
        desk.booth.shown["ann.0"] = "answer"
        await desk.post("answer", opened=Opened(ref, Part(text="answer")))
        await desk.post("second", opened=Opened(ref, None))
        await desk.settled("done", "done")
    assert [call.text for call in desk.booth.calls] == ["second"]


async def test_an_answer_older_than_a_day_goes_out_with_its_date(tmp_path: Path) -> None:
    async with running(tmp_path, start=False) as desk:
        await desk.post(LONG[:400])
        await desk.post("notice", what="notice")
        desk.jump(86400)
        desk.start()
        await desk.settled("done", "done", "done")
    assert list(desk.booth.shown.values()) == ["[1800000000] " + LONG[:200], LONG[200:400], "notice"]


async def test_a_receipt_of_the_moment_is_not_sent_when_it_is_of_no_use_any_more(tmp_path: Path) -> None:
    async with running(tmp_path, start=False) as desk:
        await desk.post("receipt", what="notice", expires_at=desk.now + 600)
        await desk.post("fact", what="notice")
        desk.jump(600)
        desk.start()
        await desk.until(lambda rows: rows[1]["state"] == "done" and rows[0]["why"] == "expired")
    assert list(desk.booth.shown.values()) == ["fact"]


@pytest.mark.requirement("B039")
async def test_what_waits_for_a_conversation_that_moved_goes_after_it_in_order(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["open"].append(Moved("upgraded", chat="new"))
        await desk.post(LONG, talk("old", group=True))
        await desk.settled("done", "done", "done")
        await desk.post("later", talk("old", group=True))
        await desk.settled("done", "done", "done", "done")
        assert await desk.count("SELECT COUNT(*) FROM audit WHERE kind = 'moved'") == 1
    assert "".join(desk.booth.shown.values()) == LONG + "later"
    assert all(ref.startswith("new") for ref in desk.booth.shown)
    assert len(desk.booth.listed("open")) == 5


@pytest.mark.requirement("B026", "B095")
async def test_a_thread_that_is_gone_is_not_asked_for_again(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        asked = desk.booth.threads = []
        await desk.post(LONG, talk("ann", thread="7"))
        await desk.settled("done", "done", "done")
        await desk.post("later", talk("ann", thread="7"))
        await desk.settled("done", "done", "done", "done")
    assert "".join(desk.booth.shown.values()) == LONG + "later"
    assert asked == ["7", None, None, None]
