"""The rows: one file per table group over one engine; the table names the engines."""

ENGINES: dict[str, str] = {"sqlite": "gateway.store.sqlite:SqliteDatabase"}
