"""Jobs and their runs: one row for each due instant, whatever became of it."""

from gateway.domain.ids import Instant, UserId
from gateway.domain.jobs import Job, Run
from gateway.store import codec, people
from gateway.store.sqlite import Row, Work

RUNS = (
    "SELECT r.due, r.state, r.why, r.item, r.ended, r.silent, i.state AS item_state, i.turn, i.why AS item_why,"
    " i.finished_at,"
    " (SELECT GROUP_CONCAT(DISTINCT o.state) FROM items o WHERE o.queue = 'outbox' AND o.turn = i.turn) AS delivery,"
    " (SELECT MAX(h.until) FROM held h WHERE h.turn = i.turn) AS held"
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


def children(work: Work, job: str) -> int:
    """Count the live jobs that runs of a job have made."""
    row = work.one(
        "SELECT COUNT(*) AS n FROM jobs WHERE state IN ('active', 'paused') AND json_extract(body, '$.parent') = ?", job
    )
    return int(row["n"]) if row is not None else 0


def of_turn(work: Work, turn: str) -> Job | None:
    """Find the job whose run a turn is, also one that was removed meanwhile."""
    row = work.one(
        "SELECT j.body FROM items i JOIN runs r ON r.item = i.id JOIN jobs j ON j.id = r.job"
        " WHERE i.queue = 'inbox' AND i.turn = ?",
        turn,
    )
    return None if row is None else codec.load(Job, row["body"])


def of_item(work: Work, item: int) -> Job | None:
    """Find the job whose run an inbox row is."""
    row = work.one("SELECT j.body FROM runs r JOIN jobs j ON j.id = r.job WHERE r.item = ?", item)
    return None if row is None else codec.load(Job, row["body"])


def be_silent(work: Work, turn: str, why: str) -> None:
    """Note that a run has nothing to say."""
    work.execute(
        "UPDATE runs SET silent = ? WHERE item IN (SELECT id FROM items WHERE queue = 'inbox' AND turn = ?)",
        (why or "nothing to report", turn),
    )


def silent(work: Work, turn: str) -> bool:
    """Whether a run said that it has nothing to say."""
    row = work.one(
        "SELECT r.silent FROM items i JOIN runs r ON r.item = i.id WHERE i.turn = ? AND i.queue = 'inbox'", turn
    )
    return row is not None and bool(row["silent"])


def end_run(work: Work, item: int, ended: str) -> None:
    """Write down how a run ended."""
    work.execute("UPDATE runs SET ended = ? WHERE item = ?", (ended, item))


def last_output(work: Work, job: str) -> str | None:
    """Give what the last run of a job that went well said."""
    row = work.one(
        "SELECT s.content FROM runs r JOIN items i ON i.id = r.item JOIN steps s ON s.turn = i.turn"
        " WHERE r.job = ? AND i.state = 'done' AND s.role = 'assistant' AND s.content <> ''"
        " ORDER BY r.due DESC, s.n DESC LIMIT 1",
        job,
    )
    return None if row is None else str(row["content"])


def output_of(work: Work, turn: str) -> str | None:
    """Give what a turn said in the end."""
    row = work.one(
        "SELECT content FROM steps WHERE turn = ? AND role = 'assistant' AND content <> '' ORDER BY n DESC LIMIT 1",
        turn,
    )
    return None if row is None else str(row["content"])
