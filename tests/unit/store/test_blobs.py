"""Attachment bytes are kept once, whole, by what is in them."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, StorageTrouble
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
