"""Draw lines over five steps as a PNG, with nothing but arrays: a plot to look at beside the figures."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[np.uint8]

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 30, 50
COLOURS: Final = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (148, 103, 189))
GREY, BLACK = (210, 210, 210), (40, 40, 40)
SCALE: Final = 3

_GLYPHS: Final = {
    "a": "75755", "b": "65656", "c": "74447", "d": "65556", "e": "74647", "f": "74644", "g": "74557",
    "h": "55755", "i": "72227", "j": "11157", "k": "55655", "l": "44447", "m": "57755", "n": "65555",
    "o": "75557", "p": "75744", "q": "75571", "r": "75655", "s": "74717", "t": "72222", "u": "55557",
    "v": "55552", "w": "55775", "x": "55255", "y": "55722", "z": "71247", "0": "75557", "1": "26227",
    "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757", "7": "71122", "8": "75757",
    "9": "75717", ".": "00002", " ": "00000", "-": "00700",
}  # fmt: skip
"""Letters of three by five dots: each digit is a row, its bits the dots."""


def plot_lines(path: Path, series: Mapping[str, Sequence[float]], *, title: str) -> None:
    """Write a plot of series with values in [0, 1], one point for each step from 0."""
    canvas: Canvas = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)
    steps = max(len(values) for values in series.values())
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        _line(canvas, (LEFT, y), (WIDTH - RIGHT, y), GREY, thick=1)
        _write(canvas, LEFT - 55, y - 7, f"{share:.2f}", BLACK)
    for step in range(steps):
        _write(canvas, _x(step, steps) - 8, HEIGHT - BOTTOM + 14, f"d{step}", BLACK)
    _write(canvas, LEFT, 8, title, BLACK)
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        # A little below one another, so that equal lines are all seen.
        points = [(_x(step, steps), _y(value) + 3 * number) for step, value in enumerate(values)]
        for before, after in pairwise(points):
            _line(canvas, before, after, colour, thick=3)
        _write(canvas, WIDTH - RIGHT + 20, TOP + 30 * number + 10, name, colour)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(canvas))


def encode(canvas: Canvas) -> bytes:
    """Return an image of shape (height, width, 3) as PNG (RFC 2083), unfiltered."""
    height, width, _ = canvas.shape
    rows = b"".join(b"\0" + row.tobytes() for row in canvas)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _x(step: int, steps: int) -> int:
    return LEFT + round(step * (WIDTH - RIGHT - LEFT) / max(1, steps - 1))


def _y(share: float) -> int:
    return TOP + round((1 - share) * (HEIGHT - BOTTOM - TOP))


def _line(
    canvas: Canvas, begin: tuple[int, int], end: tuple[int, int], colour: tuple[int, int, int], *, thick: int
) -> None:
    count = max(abs(end[0] - begin[0]), abs(end[1] - begin[1])) + 1
    xs = np.rint(np.linspace(begin[0], end[0], count)).astype(int)
    ys = np.rint(np.linspace(begin[1], end[1], count)).astype(int)
    for dx in range(thick):
        for dy in range(thick):
            canvas[np.clip(ys + dy, 0, HEIGHT - 1), np.clip(xs + dx, 0, WIDTH - 1)] = colour


def _write(canvas: Canvas, x: int, y: int, text: str, colour: tuple[int, int, int]) -> None:
    for place, letter in enumerate(text.lower()):
        for row, dots in enumerate(_GLYPHS.get(letter, _GLYPHS[" "])):
            for column in range(3):
                if int(dots) & (4 >> column):
                    left, top = x + (place * 4 + column) * SCALE, y + row * SCALE
                    canvas[top : top + SCALE, left : left + SCALE] = colour
