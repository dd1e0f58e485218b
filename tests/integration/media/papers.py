"""Documents to send: honest ones of each kind, and hostile ones."""

import io
import zipfile

from docx import Document
from openpyxl import Workbook
from pptx import Presentation
from pypdf import PdfReader, PdfWriter

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha" * 50}">' for n in range(9))


def pdf(text: str, *, password: str = "") -> bytes:
    """Make a PDF of one page."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode("latin-1")
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    at = len(made)
    made += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % one for one in places)
    made += b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % at
    return locked(bytes(made), password) if password else bytes(made)


def locked(content: bytes, password: str) -> bytes:
    """Lock a PDF."""
    writer, out = PdfWriter(clone_from=PdfReader(io.BytesIO(content))), io.BytesIO()
    writer.encrypt(password, algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()


def docx(text: str) -> bytes:
    """Make a Word document with a line and a table."""
    made, out = Document(), io.BytesIO()
    made.add_paragraph(text)
    table = made.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "left", "right"
    made.save(out)
    return out.getvalue()


def xlsx(text: str) -> bytes:
    """Make a workbook of two sheets."""
    made, out = Workbook(), io.BytesIO()
    made.active.append([text, 17, None, "end"])
    made.create_sheet("Second").append(["more"])
    made.save(out)
    return out.getvalue()


def pptx(text: str) -> bytes:
    """Make a presentation of one slide, with notes."""
    made, out = Presentation(), io.BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = text
    slide.notes_slide.notes_text_frame.text = "say it slowly"
    made.save(out)
    return out.getvalue()


def changed(content: bytes, part: str, body: bytes) -> bytes:
    """Put something else into one part of an Office document."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.infolist():
            new.writestr(one.filename, body if one.filename == part else old.read(one))
    return out.getvalue()


def reaching_out(path: str) -> bytes:
    """Write the body of a Word document that wants a file of the machine to be its text."""
    return (
        f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "file://{path}">]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        "<w:p><w:r><w:t>before &x; after</w:t></w:r></w:p></w:body></w:document>"
    ).encode()


def laughing() -> bytes:
    """Write the body of a Word document that grows a billion times when it is read."""
    return (
        f'<?xml version="1.0"?><!DOCTYPE w [{LAUGHS}]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        "<w:p><w:r><w:t>&l8;</w:t></w:r></w:p></w:body></w:document>"
    ).encode()
