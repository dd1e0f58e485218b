"""Text measured as Telegram measures it: in UTF-16 code units."""


def units(text: str) -> int:
    """Count the UTF-16 code units of a text."""
    if text.isascii():
        return len(text)
    return len(text) + sum(character > "\uffff" for character in text)


def index(text: str, offset: int) -> int | None:
    """Turn an offset in units into one in characters; nothing when it lies outside or inside a character."""
    if text.isascii():
        return offset if 0 <= offset <= len(text) else None
    position = 0
    for place, character in enumerate(text):
        if position == offset:
            return place
        position += 2 if character > "\uffff" else 1
    return len(text) if position == offset else None


def piece(text: str, offset: int, length: int) -> str | None:
    """Take out the characters of a range given in units; nothing when it doesn't fit the text."""
    start = index(text, offset)
    end = index(text, offset + length)
    if start is None or end is None:
        return None
    return text[start:end]


def chunks(text: str, size: int) -> list[str]:
    """Cut a text into pieces of at most `size` units, as a client does with a long paste."""
    pieces: list[str] = []
    start = count = 0
    for place, character in enumerate(text):
        width = 2 if character > "\uffff" else 1
        if count + width > size:
            pieces.append(text[start:place])
            start, count = place, 0
        count += width
    pieces.append(text[start:])
    return pieces
