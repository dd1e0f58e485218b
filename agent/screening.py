"""What must not get into a prompt that lasts: secrets, signs that nobody sees, texts that pose as instructions.

Promise: it errs on the side of refusing, and what it says about a text never repeats the text.
"""

import re
import unicodedata

_JOINERS = "\u200c\u200d\ufe0f"  # hold together letters of some scripts, and many an emoji
_SECRETS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{8,}"
    r"|\bxapp-[\w-]{8,}|\b[sprt]k[-_][\w-]{8,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.|\b\d{6,12}:[\w-]{30,}"
    r"|\b(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}|\b[0-9a-f]{40,}\b|://[^/\s:@]+:[^/\s:@]+@",
)
_NAMED = re.compile(
    r"\b(pass(word|wort|phrase|code)|contraseña|mot de passe|api[ _-]?key|secret|token|pin)\b"
    r"\s*(is|ist|est|es|[:=])\s*\S",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(instructions?|rules|prompts?|guidelines|safety)\b"
    r"|\byou are (now|no longer)\b|\bsystem (prompt|message|override)\b|\bnew instructions?\b|\bdeveloper mode\b"
    r"|\b(do not|don't|never) (tell|inform|let|show)\b.{0,20}\b(user|owner|person|them|him|her)\b"
    r"|<\s*/?\s*(system|assistant|instructions?|im_start|tool)\b|<\|[a-z_]+\|>|\[/?INST\]"
    r"|\b(curl|wget)\b[^\n]{0,200}\|\s*(ba|z|da)?sh\b|\bauthorized_keys\b|\bexfiltrat\w+",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--|-->")


def flaw(text: str) -> str | None:
    """Say why a text may not be kept, None where it may."""
    if any(_unseen(sign) for sign in text):
        return "it holds signs that nobody can see"
    if _SECRETS.search(text) or _NAMED.search(text):
        return "it looks like a password, a key or a token; those are never kept"
    if _ORDERS.search(text):
        return "it reads like an instruction to an assistant, not like a fact"
    if _COMMENT.search(text):
        return "it holds a hidden comment"
    return None


def _unseen(sign: str) -> bool:
    if sign in "\n\t" or sign in _JOINERS:
        return False
    return unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
