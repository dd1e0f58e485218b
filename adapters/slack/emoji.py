"""Slack's names of the emoji that people react with, both ways; others go by their name."""

_TABLE = {
    "+1": "👍",
    "-1": "👎",
    "100": "💯",
    "clap": "👏",
    "cry": "😢",
    "eyes": "👀",
    "exclamation": "❗",
    "fire": "🔥",
    "grin": "😁",
    "heart": "❤️",
    "hourglass_flowing_sand": "⏳",
    "joy": "😂",
    "laughing": "😆",
    "ok_hand": "👌",
    "open_mouth": "😮",
    "pray": "🙏",
    "question": "❓",
    "raised_hands": "🙌",
    "rocket": "🚀",
    "slightly_smiling_face": "🙂",
    "smile": "😄",
    "tada": "🎉",
    "thinking_face": "🤔",
    "wave": "👋",
    "white_check_mark": "✅",
    "writing_hand": "✍️",
    "x": "❌",
    "zap": "⚡",
}
_ALIASES = {"thumbsup": "+1", "thumbsdown": "-1"}
_VARIATION = "\ufe0f"
_NAMES = {sign.replace(_VARIATION, ""): name for name, sign in _TABLE.items()}


def sign(name: str) -> str:
    """Give the emoji of a name, or the name between colons; skin tones are left out."""
    name = name.partition("::")[0]
    return _TABLE.get(_ALIASES.get(name, name), f":{name}:")


def name_of(emoji: str) -> str | None:
    """Give Slack's name of an emoji, None where we know none."""
    if emoji.startswith(":") and emoji.endswith(":") and len(emoji) > 2:
        return emoji[1:-1]
    return _NAMES.get(emoji.replace(_VARIATION, ""))
