"""The ageing test's chains are its seed's, and its eye for an answer is sharp; a plot is a PNG."""

import struct
import zlib
from pathlib import Path

import pytest

from bench.answering.ageing import is_recalled, says
from bench.answering.ageing_chains import DEPTHS, MECHANISMS, QUICK, find_out, make_chains, say_round
from bench.rig.png import HEIGHT, WIDTH, plot_lines

pytestmark = pytest.mark.spec("V-01")


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_seed_makes_its_chains_and_another_makes_others(mechanism: str) -> None:
    chains = make_chains(mechanism, QUICK, seed=7)

    assert chains == make_chains(mechanism, QUICK, seed=7)
    assert chains != make_chains(mechanism, QUICK, seed=8)
    assert len({chain.entity for chain in chains}) == len(chains) >= 10
    assert say_round(chains, 3, QUICK, seed=7) == say_round(chains, 3, QUICK, seed=7)


def test_each_depth_says_what_its_mechanism_says() -> None:
    revision = make_chains("revision", QUICK, seed=1)
    for depth in range(DEPTHS):
        said = [body["text"] for body in say_round(revision, depth, QUICK, seed=1)]
        for chain in revision:
            about = [text for text in said if says(text, chain.entity) and says(text, chain.answer(depth))]
            assert len(about) == 1
    assert all(len(set(chain.values)) == DEPTHS for chain in revision)

    crowd = make_chains("interference", QUICK, seed=1)
    others = [len(say_round(crowd, depth, QUICK, seed=1)) - QUICK.notes for depth in range(DEPTHS)]
    assert others == [len(crowd) * count for count in (1, *QUICK.alike[1:])]
    later = [body["text"] for depth in range(1, DEPTHS) for body in say_round(crowd, depth, QUICK, seed=1)]
    assert [text for text in later for chain in crowd if says(text, chain.entity)] == []


def test_findings_hold_the_answers_to_their_questions() -> None:
    chains = make_chains("compression", QUICK, seed=1)

    written = [body["content"] for depth in range(DEPTHS) for body in find_out(chains, depth)]

    assert len(written) == len(set(written)) == len(chains) * 3 * DEPTHS
    assert all(is_recalled(chain, 4, [text]) for chain, text in zip(chains, written[::3], strict=False))


def test_an_answer_counts_beside_its_name_and_of_revision_in_the_first_place() -> None:
    revision, crowd = make_chains("revision", QUICK, seed=1)[0], make_chains("interference", QUICK, seed=1)[0]
    right = f"{revision.entity}: {revision.answer(2)}"

    assert is_recalled(revision, 2, [right, "else"])
    assert not is_recalled(revision, 2, ["else", right])
    assert not is_recalled(revision, 1, [right])
    assert is_recalled(crowd, 2, ["else", f"{crowd.entity} {crowd.answer(2)}"])
    assert not is_recalled(crowd, 2, [f"Somebody {crowd.answer(2)}"])
    assert [says("It has 412 welds", "41"), says("It has 41.", "41"), says("总部在青岛。", "青岛")] == [
        False, True, True,
    ]  # fmt: skip


def test_a_plot_is_a_png_with_its_lines_in_it(tmp_path: Path) -> None:
    plot_lines(tmp_path / "plot.png", {"revision": [1.0, 0.5], "other": [0.0, 1.0]}, title="recall")

    raw = (tmp_path / "plot.png").read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", raw[16:24]) == (WIDTH, HEIGHT)
    begin = raw.index(b"IDAT")
    length = struct.unpack(">I", raw[begin - 4 : begin])[0]
    pixels = zlib.decompress(raw[begin + 4 : begin + 4 + length])
    assert len(pixels) == HEIGHT * (1 + WIDTH * 3)
    assert bytes((31, 119, 180)) in pixels
