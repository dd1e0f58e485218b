"""Half characters: providers and clients can send lone surrogates, which no UTF-8 text can carry."""


def whole(text: str) -> str:
    """Join split surrogate pairs and replace halves that stand alone; any other text is returned as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def half(text: str) -> bool:
    """Whether a text ends with the first half of a pair whose second half may still come."""
    return "\ud800" <= text[-1:] <= "\udbff"
