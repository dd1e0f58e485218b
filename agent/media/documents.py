"""The text of a document, as far as it is wanted: PDF, Word, Excel, PowerPoint, and whatever is text already."""

import codecs
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping

from agent.media.reader import NotRead

MEGABYTE = 1024 * 1024
MOST_XML = 48 * MEGABYTE  # a tree of it is about ten times as large
MOST_UNPACKED = 256 * MEGABYTE
MOST_PARTS = 20_000
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SPACE = frozenset("\t\n\r\f\x0b\x1b")


def words(given: bytes, characters: int) -> tuple[Mapping[str, object], bytes]:
    """Return the text of a document, at most so many characters, and whether that is all of it."""
    made, size = [], 0
    for piece in _pieces(given):
        made.append(piece)
        size += len(piece) + 1
        if size > characters:
            break
    text = "\n".join(made).strip()
    if not text:
        raise NotRead("there is no text in it; it may hold pictures of pages")
    return {"whole": size <= characters}, text[:characters].encode("utf-8", "replace")


def _pieces(given: bytes) -> Iterable[str]:
    if b"%PDF-" in given[:1024]:
        return _pdf(given)
    if given.startswith(b"PK\x03\x04"):
        return _office(given)
    if given.startswith(OLD_OFFICE):
        raise NotRead("it is locked, or of an old kind of Office; docx, xlsx, pptx and PDF can be read")
    return [_text(given)]


def _text(given: bytes) -> str:
    for mark, encoding in _MARKS:
        if given.startswith(mark):
            return given.decode(encoding, "replace")
    try:
        text = given.decode()
    except UnicodeDecodeError:
        text = given.decode("cp1252", "replace")
    odd = sum(1 for sign in text[:4096] if (sign < " " and sign not in _SPACE) or sign == "\ufffd")
    if odd * 50 > min(len(text), 4096):
        raise NotRead("it is not a kind of document that can be read here")
    return text


def _pdf(given: bytes) -> Iterator[str]:
    from pypdf import PdfReader  # noqa: PLC0415
    from pypdf.errors import DependencyError  # noqa: PLC0415

    reader = PdfReader(io.BytesIO(given))
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            raise NotRead("it is locked with a password")
        for page in reader.pages:
            yield page.extract_text()
    except DependencyError:
        raise NotRead("it is encrypted in a way that cannot be read here") from None


def _office(given: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(given)) as packed:
        parts = packed.infolist()
    names = {part.filename for part in parts}
    xml = sum(part.file_size for part in parts if part.filename.lower().endswith((".xml", ".rels", ".vml")))
    if xml > MOST_XML or sum(part.file_size for part in parts) > MOST_UNPACKED or len(parts) > MOST_PARTS:
        raise NotRead("it unpacks to more than can be read here")
    for main, read in _OFFICE.items():
        if main in names:
            return read(io.BytesIO(given))
    raise NotRead("it is not a kind of document that can be read here")


def _word(file: io.BytesIO) -> Iterator[str]:
    from docx import Document  # noqa: PLC0415
    from docx.table import Table  # noqa: PLC0415

    for block in Document(file).iter_inner_content():
        if isinstance(block, Table):
            yield from (_row(cell.text for cell in row.cells) for row in block.rows)
        else:
            yield block.text


def _excel(file: io.BytesIO) -> Iterator[str]:
    from openpyxl import load_workbook  # noqa: PLC0415

    book = load_workbook(file, read_only=True, data_only=True)
    for sheet in book.worksheets:
        yield f"# {sheet.title}"
        for row in sheet.iter_rows(values_only=True):
            if any(value is not None for value in row):
                yield _row("" if value is None else str(value) for value in row)


def _powerpoint(file: io.BytesIO) -> Iterator[str]:
    from pptx import Presentation  # noqa: PLC0415

    for number, slide in enumerate(Presentation(file).slides, start=1):
        yield f"# {number}"
        yield from _shapes(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame.text


def _shapes(shapes: Iterable[object]) -> Iterator[str]:
    for shape in shapes:
        if inner := getattr(shape, "shapes", None):
            yield from _shapes(inner)
        elif getattr(shape, "has_text_frame", False):
            yield str(getattr(shape, "text_frame").text)  # noqa: B009
        elif getattr(shape, "has_table", False):
            for row in getattr(shape, "table").rows:  # noqa: B009
                yield _row(str(cell.text) for cell in row.cells)


def _row(cells: Iterable[str]) -> str:
    return " | ".join(" ".join(cell.split()) for cell in cells).rstrip(" |")


_OFFICE: Mapping[str, Callable[[io.BytesIO], Iterator[str]]] = {  # by the part that each of them has
    "word/document.xml": _word,
    "xl/workbook.xml": _excel,
    "ppt/presentation.xml": _powerpoint,
}
