"""The answer in the making: a placeholder of its own, previews at the platform's pace, and nothing that decides."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Retry, Unsure
from gateway.domain.ids import ConversationKey, MessageRef, TurnId
from gateway.domain.messages import Part
from gateway.domain.work import Claim
from gateway.services.drafts import Draft, Drafts, Place
from gateway.services.outbox import Opened
from gateway.services.pace import Pace
from gateway.store import lanes
from tests.integration.flow.booth import LIMITS, Booth, always, hang
from tests.integration.flow.desk import QUICK, Desk, running, talk

LONG = "0123456789" * 2000


@asynccontextmanager
async def drafting(
    folder: Path,
    *,
    booth: Booth | None = None,
    to: ConversationKey | None = None,
    ref: str | None = None,
    streaming: bool = True,
    pace: Pace = QUICK,
) -> AsyncIterator[tuple[Desk, Draft]]:
    """Run a draft in a conversation for the length of a block."""
    where = to or talk()
    async with running(folder, booth or Booth(), pace=pace) as desk:
        if ref is not None:
            desk.booth.shown[ref] = "…"
        drafts = Drafts(db=desk.db, lines=desk.lines, clock=desk.clock, streaming=streaming, pace=pace)
        known = MessageRef(conversation=where, native=ref) if ref is not None else None
        place = Place(turn=TurnId("t99"), conversation=where, reply_to=None, ref=known)
        draft = drafts.start(place, await _lease(desk, where) if ref is None else None)
        try:
            yield desk, draft
        finally:
            await draft.close()


TURN_CLAIM = Claim(queue="inbox", lane="user:ann", epoch=1, items=())


async def _lease(desk: Desk, where: ConversationKey) -> Claim | None:
    return await desk.db.write(lambda work: lanes.lease_idle(work, TURN_CLAIM, "outbox", str(where)))


async def _free(desk: Desk) -> None:
    """Wait until nobody holds a lane."""
    await desk.until(lambda _: True)
    async with asyncio.timeout(5):
        while await desk.count("SELECT COUNT(*) FROM lanes WHERE owner IS NOT NULL"):
            await asyncio.sleep(0)


@pytest.mark.requirement("C7.4")
async def test_a_draft_opens_at_once_with_nothing_of_the_answer(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: list(desk.booth.shown.values()) == ["…"])
        draft.update("the answer")
        await desk.booth.until(lambda: list(desk.booth.shown.values()) == ["the answer"])
        opened = await draft.close()
    assert opened is not None
    assert opened.shown == Part(text="the answer")
    assert draft.visible


async def test_a_draft_does_not_open_while_something_waits_in_its_conversation(tmp_path: Path) -> None:
    async with running(tmp_path) as desk:
        desk.booth.trouble["send"].append(Retry("429", after=60))
        await desk.post("before", what="notice")
        await desk.until(lambda rows: rows[0]["waits"] == 1)
        assert await _lease(desk, talk()) is None


@pytest.mark.parametrize("streaming", [True, False])
async def test_the_lane_is_free_for_others_while_a_draft_streams(tmp_path: Path, streaming: bool) -> None:
    async with drafting(tmp_path, streaming=streaming) as (desk, draft):
        draft.update("the answer")
        await desk.post("a reply", what="reply")
        await desk.settled("done")
        assert "a reply" in desk.booth.shown.values()


@pytest.mark.parametrize("trouble", [Retry("429", after=60), GiveUp("no"), Unsure("cut"), hang])
async def test_a_placeholder_that_cannot_be_opened_gives_the_lane_back(tmp_path: Path, trouble: object) -> None:
    async with drafting(tmp_path) as (desk, draft):
        desk.booth.trouble["open"].append(trouble)  # type: ignore[arg-type]
        draft.update("the answer")
        await _free(desk)
        assert await draft.close() is None
        orphans = await desk.count("SELECT COUNT(*) FROM audit WHERE kind = 'orphan'")
        assert orphans == (1 if trouble is hang or isinstance(trouble, Unsure) else 0)
        await desk.post("the answer")
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["the answer"]


async def test_a_bug_in_an_adapter_keeps_no_lane(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        desk.booth.trouble["open"].append(ValueError("a bug"))
        await _free(desk)
        assert await draft.close() is None


async def test_an_answer_that_is_ready_waits_for_the_placeholder_in_flight(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        gate = asyncio.Event()
        desk.booth.trouble["open"].append(lambda: _pass(gate))
        await desk.booth.until(lambda: len(desk.booth.calls) == 1)
        closing = asyncio.create_task(draft.close())
        gate.set()
        opened = await closing
        await _free(desk)
    assert opened is not None
    assert opened.ref.native in desk.booth.shown


async def test_a_call_in_flight_that_hangs_delays_the_answer_by_seconds_only(tmp_path: Path) -> None:
    async with drafting(tmp_path, pace=replace(QUICK, preview=60)) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.trouble["edit"].append(hang)
        draft.update("the answer")
        await desk.booth.until(lambda: bool(desk.booth.listed("edit")))
        opened = await asyncio.wait_for(draft.close(), 5)
    assert opened is not None
    assert opened.shown is None


@pytest.mark.requirement("B071")
async def test_no_edit_repeats_the_one_before(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        for text in ("one", "one", "one two", "one two", "three"):
            made = desk.booth.sketches
            draft.update(text)
            async with asyncio.timeout(5):
                while desk.booth.sketches == made:
                    await asyncio.sleep(0)
        await desk.booth.until(lambda: "three" in desk.booth.shown.values())
    texts = [call.text for call in desk.booth.listed("edit")]
    assert texts == ["one", "one two", "three"]


@pytest.mark.requirement("B071")
async def test_previews_of_a_long_answer_are_bounded(tmp_path: Path) -> None:
    async with drafting(tmp_path, booth=Booth(limits=replace(LIMITS, edits_per_minute=60_000))) as (desk, draft):
        for at in range(0, len(LONG), 20):
            draft.update(LONG[:at])
            await asyncio.sleep(0)
        draft.update(LONG)
        await desk.booth.until(lambda: LONG[:200] in desk.booth.shown.values())
        opened = await draft.close()
        assert opened is not None
        await desk.post(LONG, opened=opened)
        await desk.settled(*["done"] * 100)
    assert "".join(desk.booth.shown.values()) == LONG
    assert [call.what for call in desk.booth.calls][-198:] == ["open", "edit"] * 99
    assert len(desk.booth.listed("edit")) <= 99 + 11


@pytest.mark.parametrize("group", [False, True])
async def test_edits_keep_the_pace_of_the_platform(tmp_path: Path, group: bool) -> None:
    limits = replace(LIMITS, edits_per_minute=600, group_edits_per_minute=300)
    async with drafting(tmp_path, booth=Booth(limits=limits), to=talk(group=group)) as (desk, draft):
        for n in range(1, 4):
            draft.update("x" * n)
            await desk.booth.until(lambda n=n: len(desk.booth.listed("edit")) == n)  # type: ignore[misc]
    at = [call.at for call in desk.booth.listed("edit")]
    assert min(later - earlier for earlier, later in pairwise(at)) >= (0.2 if group else 0.1)


@pytest.mark.requirement("B066", "B073")
async def test_a_flood_limit_while_it_streams_ends_in_one_message_with_the_whole_text(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.trouble["edit"].append(Retry("429", after=3600))
        draft.update("the begin")
        await desk.booth.until(lambda: len(desk.booth.listed("edit")) == 1)
        draft.update("the beginning and the end")
        opened = await draft.close()
        assert opened is not None
        assert opened.shown is None
        await desk.post("the beginning and the end", opened=opened)
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["the beginning and the end"]
    assert len(desk.booth.listed("edit")) == 2


@pytest.mark.requirement("B069")
async def test_a_preview_that_is_refused_sends_nothing_else(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.trouble["edit"].append(GiveUp("refused"))
        draft.update("the answer")
        await desk.booth.until(lambda: len(desk.booth.listed("edit")) == 1)
        draft.update("the answer, longer")
        opened = await draft.close()
        await desk.post("the answer, longer", opened=opened)
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["the answer, longer"]
    assert len(desk.booth.listed("open")) == 1


async def test_a_placeholder_that_somebody_deleted_is_replaced_by_the_answer(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.shown.clear()
        draft.update("the answer")
        await desk.booth.until(lambda: len(desk.booth.listed("edit")) == 1)
        await desk.post("the answer", opened=await draft.close())
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["the answer"]


@pytest.mark.requirement("B074")
async def test_a_confirmed_preview_of_the_whole_text_is_the_final_text(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        draft.update("the answer")
        await desk.booth.until(lambda: "the answer" in desk.booth.shown.values())
        await desk.post("the answer", opened=await draft.close())
        await desk.settled("done")
    assert len(desk.booth.listed("edit")) == 1


async def test_a_draft_of_an_attempt_before_is_used_again(tmp_path: Path) -> None:
    async with drafting(tmp_path, ref="ann.0") as (desk, draft):
        draft.update("the answer")
        await desk.booth.until(lambda: desk.booth.shown == {"ann.0": "the answer"})
    assert not desk.booth.listed("open")


async def test_a_discarded_draft_leaves_nothing_behind(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        await draft.discard()
        assert draft.ref is None
        assert desk.booth.shown == {}


async def test_a_draft_that_cannot_be_deleted_is_kept_for_the_answer(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.trouble["delete"].append(Retry("503"))
        await draft.discard()
        assert draft.ref is not None


@pytest.mark.parametrize("streaming", [True, False])
async def test_typing_is_shown_after_a_second_of_silence_and_again(tmp_path: Path, streaming: bool) -> None:
    async with drafting(tmp_path, streaming=streaming) as (desk, draft):
        began = asyncio.get_running_loop().time()
        await desk.booth.until(lambda: len(desk.booth.listed("typing")) == 3)
        first, second, _ = [call.at - began for call in desk.booth.listed("typing")]
        assert first >= QUICK.typing_after * 0.9
        assert second - first >= QUICK.typing_again * 0.9
        draft.update("some words")
        await desk.booth.until(lambda: not streaming or "some words" in desk.booth.shown.values())
        seen = len(desk.booth.listed("typing"))
        await desk.booth.until(lambda: len(desk.booth.listed("typing")) > seen)  # the model fell silent


async def test_typing_that_fails_or_hangs_changes_nothing(tmp_path: Path) -> None:
    async with drafting(tmp_path, pace=replace(QUICK, preview=60)) as (desk, draft):
        desk.booth.trouble["typing"].extend([GiveUp("no"), hang])
        await desk.booth.until(lambda: len(desk.booth.listed("typing")) == 2)
        opened = await asyncio.wait_for(draft.close(), 5)
        assert opened is not None


async def test_without_streaming_nothing_is_opened_or_edited_before_the_end(tmp_path: Path) -> None:
    async with drafting(tmp_path, streaming=False) as (desk, draft):
        draft.update("the answer")
        await desk.booth.until(lambda: bool(desk.booth.listed("typing")))
        assert await draft.close() is None
        assert {call.what for call in desk.booth.calls} == {"typing"}


@pytest.mark.requirement("B067")
async def test_an_edit_whose_outcome_is_unknown_is_made_again_at_the_end(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        await desk.booth.until(lambda: len(desk.booth.shown) == 1)
        desk.booth.after["edit"] = always(Unsure("cut"))
        draft.update("the answer")
        await desk.booth.until(lambda: "the answer" in desk.booth.shown.values())
        opened = await draft.close()
        assert isinstance(opened, Opened)
        assert opened.shown is None
        desk.booth.after.clear()
        await desk.post("the answer", opened=opened)
        await desk.settled("done")
    assert [call.text for call in desk.booth.listed("edit")] == ["the answer"] * 2


@pytest.mark.requirement("B067")
async def test_after_an_edit_of_unknown_outcome_nothing_counts_as_shown(tmp_path: Path) -> None:
    async with drafting(tmp_path) as (desk, draft):
        draft.update("one")
        await desk.booth.until(lambda: "one" in desk.booth.shown.values())
        desk.booth.after["edit"].append(Unsure("cut"))
        draft.update("two")
        await desk.booth.until(lambda: "two" in desk.booth.shown.values())
        opened = await draft.close()
        await desk.post("one", opened=opened)
        await desk.settled("done")
    assert list(desk.booth.shown.values()) == ["one"]


async def _pass(gate: asyncio.Event) -> None:
    await gate.wait()
