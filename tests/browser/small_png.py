"""A screenshot as a PNG of at most 256 colours: a third of its size, and alike to the eye."""

from __future__ import annotations

import base64
import struct
import zlib
from collections import Counter

from playwright.sync_api import Page

COLOURS = 256
STEP = 8
"""Shades closer than this count as one."""
REGION = 40
"""How far apart colours are that are told from each other even where they are rare."""
READ_PIXELS = """async png => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""
"""Chromium reads the pixels of a PNG: red, green, blue and opacity of each."""
Colour = tuple[int, int, int]


def small_png(page: Page) -> bytes:
    """What a page shows now."""
    screenshot = base64.b64encode(page.screenshot()).decode()
    reader = page.context.new_page()
    width, height, encoded = reader.evaluate(READ_PIXELS, screenshot)
    reader.close()
    pixels = base64.b64decode(encoded)
    shades = bytes([min(255, (value + STEP // 2) // STEP * STEP) for value in range(256)])
    red, green, blue = (pixels[channel::4].translate(shades) for channel in range(3))
    colours: list[Colour] = list(zip(red, green, blue, strict=True))
    counts = Counter(colours)
    palette = _palette(counts)
    places = {colour: min(range(len(palette)), key=lambda at: _distance(palette[at], colour)) for colour in counts}
    rows = [bytes([places[colour] for colour in colours[at : at + width]]) for at in range(0, len(colours), width)]
    return _png(width, height, palette, rows)


def _palette(counts: Counter[Colour]) -> list[Colour]:
    """The commonest colour of each region first, so that small things keep their colour; then the commonest of all."""
    regions: dict[Colour, Colour] = {}
    for (red, green, blue), _ in counts.most_common():
        regions.setdefault((red // REGION, green // REGION, blue // REGION), (red, green, blue))
    ordered = dict.fromkeys([*regions.values(), *[colour for colour, _ in counts.most_common()]])
    return list(ordered)[:COLOURS]


def _distance(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _png(width: int, height: int, palette: list[Colour], rows: list[bytes]) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = zlib.compress(b"".join([b"\0" + row for row in rows]), 9)
    chunks = ((b"IHDR", header), (b"PLTE", bytes(value for each in palette for value in each)), (b"IDAT", body))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in (*chunks, (b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
