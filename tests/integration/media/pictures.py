"""Pictures to send, and what the model was shown of them."""

import base64
import io
import json

from PIL import Image

from tests.harness.house import House, Json


def picture(width: int = 3000, height: int = 2000, *, form: str = "JPEG", colour: str = "teal") -> bytes:
    """Make a picture of a size."""
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, form)
    return made.getvalue()


def shown(messages: list[Json]) -> list[Image.Image]:
    """Open every picture of a request."""
    parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in urls]


def words(house: House, number: int = -1) -> str:
    """Hand out everything that a request says in words."""
    return json.dumps(house.prompts()[number], ensure_ascii=False)
