"""A backup holds what it says and nothing else; one that somebody tampered with is refused as a whole."""

import gzip
import hashlib
import io
import json
import os
import socket
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp
from gateway.store import archive, backup, unpack
from gateway.store.archive import About, Packed, Sources
from gateway.store.sqlite import SqliteDatabase

BLOB = hashlib.sha256(b"a picture").hexdigest()
ABOUT = About(version="1", schema=1, made_at=1.8e9, secrets=False, rows={"items": 0})


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    """A home with a database, a blob and two files of the agent's."""
    root = tmp_path / "home"
    db = SqliteDatabase(root / "state.db")
    root.mkdir()
    await db.open()
    await db.write(lambda work: work.execute("INSERT INTO meta VALUES ('kept', 'yes')") and None)
    await db.close()
    (root / "blobs" / BLOB[:2]).mkdir(parents=True)
    (root / "blobs" / BLOB[:2] / BLOB).write_bytes(b"a picture")
    (root / "agents" / "main" / "people" / "u1").mkdir(parents=True)
    (root / "agents" / "main" / "SOUL.md").write_text("kind")
    (root / "agents" / "main" / "people" / "u1" / "MEMORY.md").write_text("likes trains")
    return root


def made(home: Path, target: Path, *, replace: bool = False, watch: backup.Watch = backup.no_watch) -> Packed:
    copy = home.parent / "copy.db"
    copy.unlink(missing_ok=True)
    backup.copy(home / "state.db", copy)
    sources = Sources(
        database=copy, blobs=home / "blobs", agent=home / "agents" / "main", texts={"gateway.json": b"{}"}
    )
    return archive.pack(target, sources, ABOUT, replace=replace, watch=watch)


def opened(source: Path) -> tuple[unpack.Opened, Path]:
    folder = source.parent / f"{source.name}.opened"
    folder.mkdir()
    return unpack.unpack(source, folder), folder


def names(source: Path) -> list[str]:
    with tarfile.open(source) as tar:
        return tar.getnames()


def forged(source: Path, change: Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]) -> Path:
    """Write a backup anew with changed entries."""
    with tarfile.open(source) as tar:
        entries = [(entry, stream.read()) for entry in tar if (stream := tar.extractfile(entry)) is not None]
    change(entries)
    target = source.with_name("forged.tar.gz")
    with tarfile.open(target, "w:gz") as tar:
        for entry, content in entries:
            tar.addfile(entry, io.BytesIO(content) if entry.isreg() else None)
    return target


def entry(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def test_everything_comes_back_as_it_was(home: Path, tmp_path: Path) -> None:
    made(home, tmp_path / "b.tar.gz")
    about, folder = opened(tmp_path / "b.tar.gz")
    assert about.made_at == ABOUT.made_at
    assert (folder / "agents/main/people/u1/MEMORY.md").read_text() == "likes trains"
    assert (folder / "blobs" / BLOB[:2] / BLOB).read_bytes() == b"a picture"
    with closing(sqlite3.connect(folder / "state.db")) as found:
        assert found.execute("SELECT value FROM meta WHERE key = 'kept'").fetchone() == ("yes",)


def test_a_script_of_the_agents_stays_one_and_nothing_else_gets_more_rights(home: Path, tmp_path: Path) -> None:
    script = home / "agents" / "main" / "run.sh"
    script.write_text("#!/bin/sh")
    script.chmod(0o4777)
    made(home, tmp_path / "b.tar.gz")
    _, folder = opened(tmp_path / "b.tar.gz")
    assert (folder / "agents/main/run.sh").stat().st_mode & 0o7777 == 0o700
    assert (folder / "agents/main/SOUL.md").stat().st_mode & 0o7777 == 0o600


def test_a_backup_is_for_its_owner_only_and_leaves_nothing_beside_it(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "b.tar.gz"
    target.parent.mkdir()
    made(home, target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(target.parent.iterdir()) == [target]


def test_a_backup_replaces_nothing_unless_asked(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.tar.gz"
    target.write_text("precious")
    with pytest.raises(GiveUp, match="exists already"):
        made(home, target)
    assert target.read_text() == "precious"
    made(home, target, replace=True)
    opened(target)


def test_a_backup_that_is_given_up_leaves_what_was_there(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "b.tar.gz"
    target.parent.mkdir()
    target.write_text("the last good one")

    def stop(done: int, total: int) -> None:
        if done > 100:
            message = "enough"
            raise backup.Stopped(message)

    with pytest.raises(backup.Stopped):
        made(home, target, replace=True, watch=stop)
    assert target.read_text() == "the last good one"
    assert list(target.parent.iterdir()) == [target]


def test_links_sockets_and_other_names_of_a_file_stay_out(home: Path, tmp_path: Path) -> None:
    agent = home / "agents" / "main"
    (tmp_path / "secret").write_text("not ours to give")
    (agent / "link").symlink_to(tmp_path / "secret")
    (agent / "people" / "away").symlink_to(tmp_path)
    os.link(home / "state.db", agent / "second-name")
    os.mkfifo(agent / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(agent / "sock"))
        packed = made(home, tmp_path / "b.tar.gz")
    assert set(packed.skipped) == {"link", "people/away", "second-name", "pipe", "sock"}
    assert not [name for name in names(tmp_path / "b.tar.gz") if name.endswith(("link", "name", "pipe", "sock"))]


def test_the_list_names_every_file_with_its_hash(home: Path, tmp_path: Path) -> None:
    made(home, tmp_path / "b.tar.gz")
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        stream = tar.extractfile("manifest.json")
        assert stream is not None
        listed = json.load(stream)
    assert listed["files"]["agents/main/SOUL.md"]["sha256"] == hashlib.sha256(b"kind").hexdigest()
    assert listed["schema"] == 1
    assert set(listed["files"]) == set(names(tmp_path / "b.tar.gz")) - {"about.json", "manifest.json"}


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../gateway.json", "agents/main/../../x", "blobs/x", "lock", "agents/main//x", "agents/main/./x"],
)
def test_a_name_that_has_no_place_in_a_home_is_refused(home: Path, tmp_path: Path, name: str) -> None:
    made(home, tmp_path / "b.tar.gz")
    with pytest.raises(GiveUp, match="no place"):
        opened(forged(tmp_path / "b.tar.gz", lambda entries: entries.insert(1, entry(name, b"x"))))
    assert not (tmp_path / "gateway.json").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_an_entry_that_is_no_regular_file_is_refused(home: Path, tmp_path: Path, kind: bytes) -> None:
    made(home, tmp_path / "b.tar.gz")
    bad = entry("agents/main/x", type=kind, linkname="/etc/passwd")
    with pytest.raises(GiveUp, match="no place"):
        opened(forged(tmp_path / "b.tar.gz", lambda entries: entries.insert(1, bad)))


def test_a_file_that_was_changed_added_or_taken_out_is_noticed(home: Path, tmp_path: Path) -> None:
    made(home, tmp_path / "b.tar.gz")

    def swap(entries: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        entries[:] = [(one, b"evil" if one.name.endswith("SOUL.md") else content) for one, content in entries]

    def drop(entries: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        entries[:] = [one for one in entries if not one[0].name.endswith("SOUL.md")]

    for change in (swap, drop, lambda entries: entries.insert(1, entry("agents/main/x", b"x"))):
        source = forged(tmp_path / "b.tar.gz", change)
        with pytest.raises(GiveUp, match="damaged"):
            opened(source.rename(tmp_path / f"{change.__name__}.tar.gz"))


def test_every_cut_is_noticed(home: Path, tmp_path: Path) -> None:
    made(home, tmp_path / "b.tar.gz")
    whole = (tmp_path / "b.tar.gz").read_bytes()
    for part in range(1, 8):
        cut = tmp_path / f"cut{part}.tar.gz"
        cut.write_bytes(whole[: len(whole) * part // 8])
        with pytest.raises(GiveUp):
            opened(cut)


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    (tmp_path / "zipped").write_bytes(gzip.compress(b"hello"))
    (tmp_path / "empty").touch()
    with tarfile.open(tmp_path / "foreign.tar.gz", "w:gz") as tar:
        tar.addfile(entry("a")[0])
    for name in ("text", "zipped", "empty", "foreign.tar.gz", "nothing"):
        with pytest.raises(GiveUp):
            opened(tmp_path / name)


@pytest.mark.parametrize("change", [{"schema": 99}, {"program": "other"}, {"format": 2}, {"schema": "x"}])
def test_a_backup_of_a_newer_or_other_program_is_refused(home: Path, tmp_path: Path, change: dict[str, object]) -> None:
    made(home, tmp_path / "b.tar.gz")

    def alter(entries: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        about = json.dumps({**json.loads(entries[0][1]), **change}).encode()
        entries[0] = entry("about.json", about)

    with pytest.raises(GiveUp, match="dragoman"):
        opened(forged(tmp_path / "b.tar.gz", alter))


def test_a_database_that_is_damaged_or_not_ours_is_refused(home: Path, tmp_path: Path) -> None:
    for n, statement in enumerate(("PRAGMA application_id=1", "PRAGMA user_version=99")):
        with closing(sqlite3.connect(home / "state.db")) as spoiling:
            spoiling.execute(statement)
        made(home, tmp_path / f"{n}.tar.gz")
        with pytest.raises(GiveUp, match=r"dragoman|ours|another program"):
            opened(tmp_path / f"{n}.tar.gz")
