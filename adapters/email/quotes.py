"""Cuts what a person did not write now: quoted mail, its introduction, signatures (pure).

Promise: the request is never lost. What the markup shows as quoted is certain; in plain text a line with > may be a
shell's prompt, so it goes only with the marks of a quotation around it. Where nothing would be left, all stays.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from adapters.email.html import QUOTED

_FORWARDED: Final = re.compile(
    r"\s*(fwd?|wg|tr|rv|i|enc|vb|vl|doorst|vs|fs|пересл|转发|轉寄|転送|fw)\s*[:：]", re.IGNORECASE
)
_FORWARD_LINE: Final = re.compile(
    r"\s*(?:-{3,}\s*(?:forwarded message|forwarded by|weitergeleitete nachricht|message transféré|message transmis"
    r"|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande"
    r"|videresendt besked|wiadomość przekazana|пересылаемое сообщение|пересланное сообщение|転送メッセージ|转发的?邮件"
    r"|轉寄郵件).*|begin forwarded message\s*:|anfang der weitergeleiteten (?:nachricht|e-mail)\s*:"
    r"|début du message (?:réexpédié|transféré)\s*:|inizio messaggio inoltrato\s*:)\s*",
    re.IGNORECASE,
)
_ORIGINAL_LINE: Final = re.compile(
    r"\s*[-_=*]{2,}\s*(original (?:message|appointment)|reply message|ursprüngliche nachricht|originalnachricht"
    r"|original-nachricht|message d['’]origine|message original|mensaje original|mensagem original"
    r"|messaggio originale|oorspronkelijk bericht|originalmeddelande|oprindelig meddelelse|alkuperäinen viesti"
    r"|pierwotna wiadomość|wiadomość oryginalna|исходное сообщение|оригинальное сообщение|původní zpráva"
    r"|元のメッセージ|原始邮件|原始郵件|邮件原件)\s*[-_=*]{2,}\s*",
    re.IGNORECASE,
)
_FIELDS: Final = {
    "from": "from von de da van från fra lähettäjä od от 发件人 寄件者 差出人 expéditeur nadawca mittente",
    "sent": "sent date gesendet datum envoyé enviado fecha enviada inviato data verzonden skickat sendt dato lähetetty"
    " wysłano отправлено дата 发送时间 日期 寄件日期 送信日時 日付 odesláno",
    "to": "to an à para a aan till til vastaanottaja do кому 收件人 宛先 destinataire komu",
    "subject": "subject betreff objet asunto assunto oggetto onderwerp ämne emne aihe temat тема 主题 主旨 件名",
}
_PHRASES: Final = {
    "enviado el": "sent",
    "enviada em": "sent",
    "от кого": "from",
    "보낸 사람": "from",
    "받는 사람": "to",
}
_KINDS: Final = {word: kind for kind, words in _FIELDS.items() for word in words.split()} | _PHRASES
_FIELD: Final = re.compile(r"[*_]{0,2}([^\s:：*][^:：*]{0,20}?)[*_]{0,2}\s*[:：][*_]{0,2}\s*(.*)")
_RULE: Final = re.compile(r"\s*[_\-]{8,}\s*")
_MARKS: Final = re.compile(f"(?:[>|{QUOTED}] ?)+")
_DEVICES: Final = (
    r"(?:my |mein(?:em|er) |mon |ma |mi |meu |minha |mio |mijn |min |mitt |moj(?:ego|ej) |mého |моего |моей |мобильн"
    r"|iphone|ipad|android|outlook|samsung|yahoo|proton|gmail|gmx|web\.de|aol|huawei|mail (?:for|für|pour)"
    r"|the all-new|a mobile|der .{2,20}app|windows|nine|spark|яндекс|почты|mail\.ru)"
)
_SIGN_OFF: Final = re.compile(
    rf"\s*(?:sent (?:from|via|using|with) {_DEVICES}.{{0,60}}|get outlook for .{{2,80}}"
    rf"|.{{0,40}}outlook.{{0,60}}aka\.ms/\S+|von meinem .{{2,60}} gesendet"
    rf"|(?:gesendet|diese nachricht wurde) (?:von|mit|über) {_DEVICES}.{{0,60}}"
    rf"|envoyé (?:depuis|à partir d['’e]|de) ?{_DEVICES}.{{0,60}}"
    rf"|enviado (?:desde|do|da|a partir do) {_DEVICES}.{{0,60}}|inviato da(?:l|lla)? ?{_DEVICES}.{{0,60}}"
    rf"|(?:verstuurd|verzonden) (?:vanaf|met|via) {_DEVICES}.{{0,60}}|skickat från {_DEVICES}.{{0,60}}"
    rf"|sendt fra {_DEVICES}.{{0,60}}|lähetetty .{{0,30}}{_DEVICES}.{{0,60}}|wysłan[eo] z {_DEVICES}.{{0,60}}"
    rf"|отправлено (?:с|из) {_DEVICES}.{{0,60}}|odesláno z {_DEVICES}.{{0,60}}"
    r"|(?:iphone|ipad|android)から送信|发自我的.{2,40}|從我的.{2,40}|나의 .{1,20}에서 보냄)\s*[.!]?\s*",
    re.IGNORECASE,
)
_DATE: Final = re.compile(r"\d{1,4}\D{1,12}\d{1,4}|\d{1,2}[:.h]\d{2}")
_ADDRESS: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+")
_DASHED: Final = re.compile(r"-{2,}\s*(.{5,300}?)\s*-{2,}")  # Zoho puts the whole introduction between dashes
_ENDS: Final = (":", "：", "wrote", "writes", "写道", "寫道", "skrev", "のメッセージ", "さんは書きました")
MOST_LINES: Final = 10_000
MOST_INTRO_LINES: Final = 4
MOST_SIGNATURE_LINES: Final = 15
MOST_SIGNATURES: Final = 4


def request_of(text: str, *, subject: str, replying: bool, own: Collection[str] = (), said: str = "") -> str:
    """Give what a person wrote now; `own` are our names and addresses, `said` is what is replied to if we know it."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:  # nobody typed that, and looking through it would take for ever
        return tidy(_shown(lines, mark="> "))
    if _FORWARDED.match(subject) or any(_FORWARD_LINE.fullmatch(_bare(line)) for line in lines):
        return tidy(_shown(lines, mark=""))
    kept = _without_block(lines)
    kept = _without_quotes(kept, _Clues(replying=replying, own=own, said=said))
    kept = _without_signature(kept)
    found = tidy(_shown(kept, mark="> "))
    if any(sign.isalnum() for sign in found):
        return found
    whole = tidy(_shown(lines, mark="> "))
    return whole if any(sign.isalnum() for sign in whole) else found or whole


def tidy(text: str) -> str:
    """Strip the ends of lines and the text, and keep at most one empty line in a row."""
    lines = [line.rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n").rstrip()


class _Clues:
    """What tells a quotation from other lines with a > before them."""

    def __init__(self, *, replying: bool, own: Collection[str], said: str) -> None:
        self.replying = replying
        self.own = [name.casefold() for name in own if name]
        self.said = {" ".join(line.split()) for line in said.split("\n") if line.strip()}

    def introduces(self, lines: Sequence[str]) -> bool:
        """Whether some lines say who wrote what follows, and when, in any language."""
        text = " ".join(" ".join(lines).split())
        if (dashed := _DASHED.fullmatch(text)) is not None:
            text = dashed[1]
        if not text or len(text) > 400:
            return False
        low = text.casefold()
        somebody = _ADDRESS.search(text) is not None or any(name in low for name in self.own)
        return low.endswith(_ENDS) and (somebody or _DATE.search(text) is not None)

    def surely(self, lines: Sequence[str]) -> bool:
        """Whether an introduction stands so firmly that what follows needs no marks."""
        text = " ".join(lines)
        named = any(name in text.casefold() for name in self.own)
        return self.introduces(lines) and named and _DATE.search(text) is not None

    def ours(self, lines: Sequence[str]) -> bool:
        """Whether quoted lines are what we said."""
        bare = [" ".join(_bare(line).split()) for line in lines]
        known = [line for line in bare if line]
        return bool(self.said) and bool(known) and sum(line in self.said for line in known) * 2 >= len(known)


def _bare(line: str) -> str:
    """Take the marks of quotation off a line."""
    return _MARKS.sub("", line, count=1) if _MARKS.match(line) else line


def _is_quoted(line: str) -> bool:
    return line.startswith((">", " >", QUOTED))


def _shown(lines: Sequence[str], *, mark: str) -> str:
    return "\n".join(re.sub(f"^{QUOTED}+", mark, line).replace(QUOTED, "") for line in lines)


def _without_block(lines: list[str]) -> list[str]:
    """Cut at what mail programs put above a quoted mail: a line that says so, or its header."""
    for n, line in enumerate(lines):
        bare = _bare(line)
        if _ORIGINAL_LINE.fullmatch(bare) or _is_header(lines, n):
            above = lines[:n]
            while above and (not above[-1].strip() or _RULE.fullmatch(above[-1])):
                above = above[:-1]
            return above if _worth(above) else lines
    return lines


def _is_header(lines: Sequence[str], n: int) -> bool:
    """Whether a quoted mail's header begins here: who, when, to whom, about what, in one block."""
    first = _field(lines[n])
    if first is None or first[0] not in ("from", "sent"):
        return False
    kinds: dict[str, str] = {}
    for line in lines[n : n + 10]:
        found = _field(line)
        if found is not None:
            kinds.setdefault(*found)
        elif not line.strip() or not kinds:
            break
    if not {"from", "subject"} <= kinds.keys():
        return False
    if _ADDRESS.search(" ".join(kinds.values())) is not None:
        return len(kinds) >= 3
    return len(kinds) == 4 and _DATE.search(kinds["sent"]) is not None  # else somebody asks for a journey in a list


def _field(line: str) -> tuple[str, str] | None:
    found = _FIELD.fullmatch(_bare(line).strip())
    kind = _KINDS.get(found[1].strip().casefold()) if found else None
    return (kind, found[2]) if found is not None and kind is not None else None


def _worth(lines: Sequence[str]) -> bool:
    return any(sign.isalnum() for line in lines if not _is_quoted(line) for sign in line)


def _without_quotes(lines: list[str], clues: _Clues) -> list[str]:
    runs = _runs(lines)
    if not runs:
        return _without_unmarked(lines, clues)
    intros = [_intro(lines, start, clues) for start, _ in runs]
    certain = [
        intro < start or any(line.startswith(QUOTED) for line in lines[start:end]) or clues.ours(lines[start:end])
        for (start, end), intro in zip(runs, intros, strict=True)
    ]
    if _interleaved(lines, runs, intros):
        said = {n for intro, (start, _) in zip(intros, runs, strict=True) for n in range(intro, start)}
        return [line for n, line in enumerate(lines) if n not in said]
    own = [n for n, line in enumerate(_unsigned(lines)) if _worth([line])]
    latest = own[-1] if own else -1
    gone: set[int] = set()
    for (start, end), intro, sure in zip(runs, intros, certain, strict=True):
        last = end > latest
        if sure or (clues.replying and last and end - start > 1 and start > 0 and not lines[start - 1].strip()):
            gone.update(range(intro, end))
    kept = [line for n, line in enumerate(lines) if n not in gone]
    return kept if _worth(kept) else lines


def _runs(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Find stretches of quoted lines; empty lines between them belong to them."""
    runs: list[tuple[int, int]] = []
    for n, line in enumerate(lines):
        if not _is_quoted(line):
            continue
        if runs and not any(between.strip() for between in lines[runs[-1][1] : n]):
            runs[-1] = (runs[-1][0], n + 1)
        else:
            runs.append((n, n + 1))
    return runs


def _intro(lines: Sequence[str], start: int, clues: _Clues) -> int:
    """Find where the introduction of a quotation begins; its own start if it has none."""
    above = start
    while above > 0 and not lines[above - 1].strip():
        above -= 1
    for size in range(1, MOST_INTRO_LINES + 1):
        first = above - size
        if first < 0 or not lines[first].strip() or _is_quoted(lines[first]):
            break
        if clues.introduces(lines[first:above]):
            return _grown(lines, first)
    return start


def _grown(lines: Sequence[str], first: int) -> int:
    """Take in the lines above that begin the same sentence, as a wrapped date or name does."""
    alone = first == 0 or not lines[first - 1].strip() or _is_quoted(lines[first - 1])
    if alone or (_DATE.search(lines[first]) and lines[first][:1].isupper()):
        return first
    above = lines[first - 1]
    if _DATE.search(above) and not above.rstrip().endswith((".", "!", "?")):
        return first - 1
    return first


def _interleaved(lines: Sequence[str], runs: Sequence[tuple[int, int]], intros: Sequence[int]) -> bool:
    """Whether a person answered between the quoted lines: then these are what the answers are about."""
    answered = 0
    for n, (_, end) in enumerate(runs):
        until = intros[n + 1] if n + 1 < len(runs) else len(lines)
        answered += _worth(_unsigned(lines[end:until]))
    return len(runs) > 1 and answered > 1


def _without_unmarked(lines: list[str], clues: _Clues) -> list[str]:
    """Cut below an introduction that names us and a date, though nothing below it is marked."""
    for n in range(1, len(lines)):
        for size in (1, 2, 3):
            if lines[n].strip() and n + size <= len(lines) and clues.surely(lines[n : n + size]):
                return lines[:n] if _worth(lines[:n]) and any(line.strip() for line in lines[n + size :]) else lines
    return lines


def _unsigned(lines: Sequence[str]) -> list[str]:
    """Give the lines above a signature."""
    for n, line in enumerate(lines):
        if len(lines) - n <= MOST_SIGNATURE_LINES and _signs(lines, n, line.rstrip("\r")):
            return list(lines[:n])
    kept = list(lines)
    while kept and (not kept[-1].strip() or (_SIGN_OFF.fullmatch(kept[-1]) and (kept[-2:-1] or [""])[0].strip() == "")):
        kept.pop()
    return kept


def _signs(lines: Sequence[str], n: int, line: str) -> bool:
    """Whether a line parts a signature: as mail programs write it, or bare, once and with no question below."""
    if line == "-- ":
        return True
    if line not in ("--", "—"):
        return False
    return lines.count(line) == 1 and not any(below.rstrip().endswith(("?", "？")) for below in lines[n + 1 :])


def _without_signature(lines: list[str]) -> list[str]:
    kept = lines
    for _ in range(MOST_SIGNATURES):
        kept = _unsigned(kept)
    while kept and (not kept[-1].strip() or _RULE.fullmatch(kept[-1])):
        kept.pop()
    return kept if _worth(kept) else lines
