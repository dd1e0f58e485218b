"""Attachment bytes are kept once, whole, by what is in them."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Retry, StorageTrouble
from gateway.store.blobs import Blobs


async def stream(*chunks: bytes) -> AsyncIterator[bytes]:
    """Give bytes piece by piece."""
    for chunk in chunks:
        yield chunk


def files(folder: Path) -> list[Path]:
    """List what lies in a folder."""
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.requirement("E12")
async def test_the_same_bytes_are_one_file_named_by_their_sha_256(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    one = await blobs.save(stream(b"mi", b"lk"))
    two = await blobs.save(stream(b"milk"))
    assert one == two == (hashlib.sha256(b"milk").hexdigest(), 4)
    assert [path.read_bytes() for path in files(tmp_path)] == [b"milk"]
    assert blobs.path(one[0]) in files(tmp_path)
    assert blobs.path(one[0]).stat().st_mode & 0o777 == 0o600


@pytest.mark.requirement("E12")
async def test_what_is_larger_than_the_cap_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs", max_bytes=5)
    with pytest.raises(GiveUp, match="larger than"):
        await blobs.save(stream(b"milk", b"man"))
    assert files(tmp_path) == []


@pytest.mark.requirement("E12")
async def test_a_folder_that_cannot_be_written_is_trouble_that_may_pass(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    with pytest.raises(StorageTrouble):
        await Blobs(tmp_path / "blobs").save(stream(b"milk"))


async def test_a_stream_that_breaks_off_is_no_trouble_with_the_disk(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"half"
        raise TimeoutError

    with pytest.raises(Retry) as caught:
        await Blobs(tmp_path / "blobs").save(broken())
    assert not isinstance(caught.value, StorageTrouble)
    assert files(tmp_path) == []


@pytest.mark.requirement("E12")
async def test_the_same_bytes_from_many_sides_at_once_are_one_file(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    saved = await asyncio.gather(*(blobs.save(stream(b"milk")) for _ in range(20)))
    assert len(set(saved)) == 1
    assert len(files(tmp_path)) == 1


async def test_what_a_kill_left_half_written_goes_with_the_next_file(tmp_path: Path) -> None:
    folder = tmp_path / "blobs"
    folder.mkdir()
    (folder / "tmpabc123").write_bytes(b"half")
    blobs = Blobs(folder)
    one, _ = await blobs.save(stream(b"milk"))
    two, _ = await blobs.save(stream(b"bread"))
    assert sorted(files(tmp_path)) == sorted([blobs.path(one), blobs.path(two)])
