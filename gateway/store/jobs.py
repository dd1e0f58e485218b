"""Jobs and their runs: one row for each due instant, whatever became of it."""

from gateway.domain.ids import Instant, UserId
from gateway.domain.jobs import Job, Run
from gateway.store import codec, people
from gateway.store.sqlite import Row, Work

RUNS = (
    "SELECT r.due, r.state, r.why, r.item, i.state AS item_state, i.turn, i.why AS item_why, i.finished_at,"
    " (SELECT GROUP_CONCAT(DISTINCT o.state) FROM items o WHERE o.queue = 'outbox' AND o.turn = i.turn) AS delivery"
    " FROM runs r LEFT JOIN items i ON i.id = r.item WHERE r.job = ? ORDER BY r.due DESC LIMIT ?"
)


def save(work: Work, job: Job) -> None:
    """Write a job, new or changed, and wake the ticker."""
    work.execute(
        "INSERT INTO jobs (id, person, name, state, next_due, made_at, body) VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT (id) DO UPDATE SET person = excluded.person, name = excluded.name, state = excluded.state,"
        " next_due = excluded.next_due, body = excluded.body",
        (job.id, job.person, job.name, job.state, job.next_due, job.made_at, codec.dump(job)),
    )
    work.ring("jobs")


def get(work: Work, job: str) -> Job | None:
    """Find a job by id, also one that is done."""
    row = work.one("SELECT body FROM jobs WHERE id = ? AND state <> 'removed'", job)
    return None if row is None else codec.load(Job, row["body"])


def of_person(work: Work, person: UserId) -> list[Job]:
    """List the jobs of a person and of whoever was joined into them, those that are due first."""
    me = people.selves(work, person)
    rows = work.all(
        f"SELECT body FROM jobs WHERE person IN ({','.join('?' * len(me))}) AND state <> 'removed'"
        " ORDER BY state = 'done', next_due IS NULL, next_due, id",
        *me,
    )
    return [codec.load(Job, row["body"]) for row in rows]


def everybodys(work: Work) -> list[Job]:
    """List all jobs, those that are due first."""
    rows = work.all(
        "SELECT body FROM jobs WHERE state <> 'removed' ORDER BY state = 'done', next_due IS NULL, next_due"
    )
    return [codec.load(Job, row["body"]) for row in rows]


def due(work: Work, now: Instant, limit: int) -> list[Job]:
    """List active jobs whose instant has come, the oldest first."""
    rows = work.all(
        "SELECT body FROM jobs WHERE state = 'active' AND next_due IS NOT NULL AND next_due <= ?"
        " ORDER BY next_due LIMIT ?",
        now,
        limit,
    )
    return [codec.load(Job, row["body"]) for row in rows]


def next_due(work: Work) -> Instant | None:
    """Find when the next job is due."""
    row = work.one("SELECT MIN(next_due) AS due FROM jobs WHERE state = 'active' AND next_due IS NOT NULL")
    return None if row is None or row["due"] is None else float(row["due"])


def add_run(work: Work, run: Run, now: Instant) -> bool:
    """Write what became of a due instant; False when that instant has its row already."""
    return (
        work.execute(
            "INSERT INTO runs (job, due, state, item, why, at) VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING",
            (run.job, run.due, run.state, run.item, run.why, now),
        ).rowcount
        == 1
    )


def runs(work: Work, job: str, limit: int) -> list[Row]:
    """List the last runs with what became of them and of their output: two things."""
    return work.all(RUNS, job, limit)


def busy(work: Work, job: str) -> bool:
    """Tell whether a run of a job is not over yet."""
    row = work.one(
        "SELECT 1 FROM runs r JOIN items i ON i.id = r.item WHERE r.job = ? AND i.state = 'ready' LIMIT 1", job
    )
    return row is not None


def failed_in_a_row(work: Work, job: str, most: int) -> int:
    """Count the failed runs since the last one that went well."""
    count = 0
    for row in work.all(
        "SELECT i.state FROM runs r JOIN items i ON i.id = r.item WHERE r.job = ? ORDER BY r.due DESC LIMIT ?",
        job,
        most,
    ):
        if row["state"] != "dead":
            break
        count += 1
    return count
