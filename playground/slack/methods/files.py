"""files.*: the three steps of an upload, and what is known of a file."""

from secrets import token_hex

from playground.slack.args import Args
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.methods.chat import destination, thread_of
from playground.slack.world import File, Message, Wire


def get_upload_url(core: Core, args: Args) -> Wire:
    """Step one: an address for the bytes."""
    length = args.whole("length", 0)
    if length <= 0:
        raise ApiError("invalid_arguments")
    file = File(
        id=f"F{core.world.number():08d}",
        name=args.needed("filename"),
        mime="application/octet-stream",
        content=bytes(length),
        user=core.world.bot_user,
        mode="pending",
    )
    path = token_hex(8)
    core.world.uploads[path] = file
    return {"upload_url": f"{core.base}/upload/v1/{path}", "file_id": file.id}


def complete_upload(core: Core, args: Args) -> Wire:
    """Step three: the files become one message."""
    given = args.structure("files")
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise ApiError("invalid_arguments")
    files = [_uploaded(core, one) for one in given]
    if place := args.words("channel_id"):
        channel = destination(core, place)
        message = Message(
            ts=core.world.stamp(core.clock()),
            channel=channel.id,
            user=core.world.bot_user,
            bot_id=core.world.bot_id,
            text=args.words("initial_comment"),
            thread_ts=thread_of(channel, args.words("thread_ts")),
            subtype="file_share",
            files=[file.id for file in files],
        )
        core.post(channel, message)
    return {"files": [{"id": file.id, "title": file.title} for file in files]}


def _uploaded(core: Core, given: Wire) -> File:
    file = core.world.files.get(str(given.get("id")))
    if file is None or file.mode != "uploaded":
        raise ApiError("file_not_found")
    file.mode = "hosted"
    file.title = str(given.get("title") or file.name)
    return file


def info(core: Core, args: Args) -> Wire:
    """Describe a file, with where it was shared."""
    file = core.world.files.get(args.needed("file"))
    if file is None or file.mode == "pending":
        raise ApiError("file_not_found")
    shares = {channel: [{"ts": ts}] for channel, ts in file.shares.items()}
    private = {name: at for name, at in shares.items() if core.world.channels[name].kind != "channel"}
    public = {name: at for name, at in shares.items() if name not in private}
    return {"file": {**core.file_wire(file, whole=True), "shares": {"public": public, "private": private}}}
