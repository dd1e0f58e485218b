"""Files on their way out, with each kind of trouble: posted at most once, or unknown where nobody can tell."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.ids import BlobId, ConversationKey
from gateway.domain.messages import Attachment, AttachmentKind, OutboundMessage
from gateway.services.outbox import Outbox
from gateway.store.blobs import Blobs
from playground.telegram.client import Phone
from tests.harness.house import House, running

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
METHODS: dict[str, list[AttachmentKind]] = {
    "sendDocument": ["document"],
    "sendPhoto": ["photo"],
    "sendMediaGroup": ["document", "document"],
}
SURE = {"flood": "done", "error": "unknown", "html": "unknown", "drop": "unknown", "cut": "unknown"}


async def content() -> AsyncIterator[bytes]:
    """Give the bytes of a picture."""
    yield PIXEL


async def post(house: House, phone: Phone, method: str, key: str) -> None:
    """Hand a file or an album to the outbox, as a turn does in its last commit."""
    assert house.app is not None
    outbox = house.app.handlers["outbox"]
    assert isinstance(outbox, Outbox)
    blob, _ = await Blobs(house.root / "blobs").save(content())
    message = OutboundMessage(
        key=key,
        conversation=ConversationKey(
            platform="telegram", account=str(house.emulator.world.bot.id), chat=str(phone.chat_id), kind="direct"
        ),
        attachments=tuple(file(kind, n, blob) for n, kind in enumerate(METHODS[method])),
    )
    await house.app.db.write(lambda work: outbox.post(work, message, what="answer", turn=key))


def file(kind: AttachmentKind, n: int, blob: BlobId) -> Attachment:
    """Name a file of ours."""
    return Attachment(kind=kind, name=f"picture{n}.png", mime="image/png", blob=blob)


@pytest.mark.requirement("H5", "C7.5")
@pytest.mark.parametrize("method", METHODS)
async def test_a_file_is_never_posted_twice_whatever_becomes_of_its_call(tmp_path: Path, method: str) -> None:
    """What surely was not posted is tried again, what may have been is listed, and the conversation goes on."""
    async with running(tmp_path) as house:
        for kind, state in SURE.items():
            phone = house.phone(kind)
            phone.send("echo hello")
            await phone.answer("hello")
            house.emulator.faults.add(kind, method=method, count=1, chat=phone.chat_id)
            await post(house, phone, method, f"files/{kind}")
            rows = await house.settled("SELECT state FROM items WHERE key = ? AND state <> 'ready'", f"files/{kind}/0")
            assert rows[0]["state"] == state, kind
            phone.send("echo on")
            await phone.answer("on")
            posted = [message for message in phone.from_bot() if message.body.media]
            expected = len(METHODS[method]) if kind in ("flood", "cut") else 0
            assert len(posted) == expected, kind
