import json

from bench.report import BUDGETS, kept, rows, table

FIGURES = {"dragoman": {"start": 1.2, "idle.rss": 91.0, "flow": 200.0}, "floor": {"start": 0.2, "flow": 800.0}}


def found(name):
    return next(row for row in rows(FIGURES) if row["name"] == name)


def test_a_figure_stands_beside_its_budget_and_its_ratio_to_the_floor():
    row = found("start")

    assert (row["budget"], row["unit"]) == (1.5, "s")
    assert row["figures"] == {"dragoman": 1.2, "floor": 0.2}
    assert row["ratios"] == {"dragoman": 6.0}
    assert row["kept"] is True


def test_what_is_over_its_budget_is_not_kept_and_says_so_for_the_whole():
    assert found("idle.rss")["kept"] is False
    assert not kept(FIGURES)
    assert kept({"dragoman": {"idle.rss": 89.0}})


def test_a_figure_without_budget_or_that_was_not_measured_is_judged_by_nobody():
    assert found("flow")["kept"] is None
    assert found("crowd") == found("crowd") | {"figures": {}, "ratios": {}, "kept": None}


def test_the_table_has_a_row_per_budget_and_a_column_per_side():
    drawn = table(FIGURES, ["dragoman", "floor"])

    assert drawn.row_count == len(BUDGETS)
    assert [column.header for column in drawn.columns] == ["what", "at most", "dragoman", "floor"]
    assert [row.style for row in drawn.rows].count("red") == 1


def test_the_rows_are_json():
    assert json.loads(json.dumps(rows(FIGURES)))[0]["name"] == "start"
