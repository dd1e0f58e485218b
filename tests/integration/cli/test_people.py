"""People, groups, codes and what is stored of somebody, from the command line, with no daemon and with one."""

from pathlib import Path

import pytest

from tests.integration.cli.conftest import Dragoman

ANN = {"name": "Ann", "role": "owner", "identities": ["telegram:7"]}


@pytest.mark.requirement("C3.11", "B125", "B129")
async def test_people_codes_and_groups_are_listed_changed_and_say_where_they_come_from(dragoman: Dragoman) -> None:
    dragoman.configure(access={"people": [ANN]})
    async with dragoman.running():
        made = (await dragoman("pair", "new", "--role", "guest", "--name", "Bob", "--json")).json
        listed = (await dragoman("pair", "list", "--json")).json
        (code,) = [one for one in listed["codes"] if one["name"] == "Bob"]
        assert made["code"] not in str(listed)
        assert (await dragoman("pair", "revoke", code["id"])).code == 0
        assert (await dragoman("pair", "list", "--json")).json["codes"] == []
        (ann,) = (await dragoman("people", "list", "--json")).json
        assert (ann["name"], ann["role"], ann["source"]) == ("Ann", "owner", "config")
        assert (await dragoman("people", "link", "Ann", "discord:99")).code == 0
        assert "discord:99" in (await dragoman("people", "show", "Ann")).out
        assert (await dragoman("people", "unlink", "telegram:7")).code == 1  # the configuration says so
        assert (await dragoman("people", "role", "Ann", "guest")).code == 1
        assert (await dragoman("people", "timezone", "Ann", "Asia/Tokyo")).code == 0
        assert (await dragoman("groups", "allow", "telegram:-1001")).code == 0
        (group,) = (await dragoman("groups", "list", "--json")).json
        assert (group["group"], group["source"]) == ("telegram:-1001", "chat")
        assert (await dragoman("groups", "leave", "telegram:-1001")).code == 0
        assert (await dragoman("groups", "list", "--json")).json == []


@pytest.mark.requirement("C3.11")
async def test_what_is_stored_of_somebody_is_handed_out_to_be_read_and_to_be_kept(dragoman: Dragoman) -> None:
    dragoman.configure(access={"people": [ANN]})
    async with dragoman.running():
        assert (await dragoman("people", "list")).code == 0
    whole = (await dragoman("people", "export", "Ann")).json
    assert whole["people"][0]["name"] == "Ann"
    assert whole["accounts"][0]["native"] == "7"
    folder = Path(dragoman.home) / "agents" / "main" / "people" / whole["people"][0]["id"]
    folder.mkdir(parents=True)
    (folder / "USER.md").write_text("likes tea\n")
    read = (await dragoman("people", "export", "Ann", "--markdown")).out
    assert read.startswith("# What is stored about this person")
    assert "native: 7" in read
    assert "    likes tea" in read
    assert (await dragoman("people", "erase", "Ann", "--yes")).code == 1
