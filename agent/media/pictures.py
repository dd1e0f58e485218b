"""A picture of any size and of the usual kinds as a JPEG that models can look at."""

import io
import warnings
from collections.abc import Mapping
from typing import BinaryIO

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    UnidentifiedImageError,  # each is loaded because it makes its kind known
    WebPImagePlugin,
)

from agent.media.reader import NotRead

KINDS = tuple(  # nothing that other programs would have to open
    kind.format
    for kind in (
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
        GifImagePlugin.GifImageFile,
        BmpImagePlugin.BmpImageFile,
        TiffImagePlugin.TiffImageFile,
    )
)
MOST_PIXELS = 80_000_000
QUALITY = 85


def small(file: BinaryIO, longest: int) -> tuple[Mapping[str, object], bytes]:
    """Return a picture upright, on white, no side longer than so many pixels, and without what else was in its file."""
    warnings.simplefilter("ignore")
    try:
        picture = Image.open(file, formats=KINDS)
    except UnidentifiedImageError:
        raise NotRead("it is not a picture of a kind that I know") from None
    except Image.DecompressionBombError:
        raise NotRead("it has far too many pixels") from None
    if picture.width * picture.height > MOST_PIXELS:
        raise NotRead(f"it has more than {MOST_PIXELS // 1_000_000} million pixels")
    picture.draft("RGB", (longest, longest))  # a JPEG need not be unpacked whole
    shown = ImageOps.exif_transpose(_shrunk(picture, longest))
    made = io.BytesIO()
    _on_white(shown).save(made, "JPEG", quality=QUALITY)
    return {"mime": "image/jpeg"}, made.getvalue()


def _shrunk(picture: Image.Image, longest: int) -> Image.Image:
    exif = picture.getexif()
    shown = picture if picture.mode in ("RGB", "RGBA", "L") else picture.convert("RGBA")
    shown.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    shown.getexif().update(exif)
    return shown


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture.getchannel("A"))
    return paper
