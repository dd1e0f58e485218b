"""The commands: a word and the module that adds it; and the words that mean something only in a later version."""

COMMANDS: dict[str, str] = {
    "setup": "gateway.cli.setup",
    "run": "gateway.cli.run",
    "playground": "gateway.cli.playground",
    "chat": "gateway.cli.chat",
    "check": "gateway.cli.check",
    "status": "gateway.cli.status",
    "why": "gateway.cli.why",
    "explain": "gateway.cli.explain",
    "doctor": "gateway.cli.doctor",
    "logs": "gateway.cli.logs",
    "inbox": "gateway.cli.queues:add_inbox",
    "outbox": "gateway.cli.queues:add_outbox",
    "sessions": "gateway.cli.sessions",
    "jobs": "gateway.cli.jobs",
    "pair": "gateway.cli.pair",
    "people": "gateway.cli.people",
    "groups": "gateway.cli.groups",
    "memory": "gateway.cli.memory",
    "config": "gateway.cli.config",
    "service": "gateway.cli.service",
    "dashboard": "gateway.cli.dashboard",
    "backup": "gateway.cli.backup",
    "restore": "gateway.cli.restore",
}

NOT_YET = ("import",)
