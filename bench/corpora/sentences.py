"""
Made-up notes of a company's agents, and questions about them: as many as wanted, the same for a seed.

A question's words stand in about as many notes as in real talk: the postings that they have together, very
common words left out, are 0.14 of the notes' number (0.19 in conversations of two people, 0.05 in our sample
fleet; medians).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

START: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(";"))


_SLOTS: Final = {
    "person": _listed(
        """
        Anneke Bruin; Tomas Veiga; Rosa Lindgren; Idris Kaya; Mei Tanaka; Paulo Serra; Greta Holm; Samir
        Haddad; Ilse Vogel; Nuno Prates; Keiko Mori; Bram Jansen; Lucia Ferri; Oskar Nyman; Dana Pavlik;
        Yusuf Demir; Clara Weiss; Hugo Marchand; Nadia Rahal; Piotr Zielinski; Ingrid Solberg; Mateus
        Rocha; Sofia Petrou; Liam Doyle; Aiko Sato; Ravi Menon; Elena Popa; Jonas Berg; Amira Saleh;
        Viktor Hrubec
        """
    ),
    "place": _listed(
        """
        Lisbon; Rotterdam; Hangzhou; Lyon; Gdansk; Valencia; Aarhus; Trieste; Leipzig; Porto; Antwerp;
        Malmo; Ghent; Bilbao; Turku; Graz; Nantes; Brno; Cork; Bergen; Ulm; Genoa; Split; Tartu; Varna;
        Delft
        """
    ),
    "part": _listed(
        """
        battery pack; motor controller; brake lever; torque sensor; front fork; display firmware;
        charging dock; cargo box; wheel rim; wiring harness; hub dynamo; rain cover; seat post;
        telemetry gateway; payment page; warranty form; customs file; parcel scanner; chain guard; gear
        shifter; tail light; spoke set; child seat; phone mount; invoice archive; door alarm; forklift;
        glue line; paint booth; test bench; label printer; pallet rack; first aid kit; roof window;
        water pump; coffee machine; staff handbook; visitor badge; night shift plan; price list; press
        photo; fair stand; loading ramp; fire door; server cupboard; bicycle bell
        """
    ),
    "firm": _listed(
        """
        Northgate; Solvane; Kestrel; Bluewharf; Ostrava; Quayside; Hillmark; Tidewater; Yarrow;
        Pinecrest; Alderbrook; Corvane; Dunmere; Eastholm; Fennick; Garrow; Harlequay; Inverloch;
        Juniper; Kingsmead; Larkfield; Moorgate; Netherby; Oakhaven
        """
    ),
    "owns": _listed("owns; runs; looks after; answers for; maintains; supervises; takes care of"),
    "chose": _listed("chosen; bought; ordered; leased; rented; sourced; picked; tested"),
    "raised": _listed("raised; lowered; doubled; confirmed; halved; froze"),
    "asked": _listed("asked; called; pressed; reminded; mailed; visited"),
    "looked": _listed("inspected; cleaned; greased; calibrated; weighed; sealed; photographed"),
    "likes": _listed("prefers; recommends; dislikes; praises; distrusts; rejects"),
    "talk": _listed("meeting; audit; training; workshop; negotiation; review; dinner"),
    "fault": _listed(
        """
        loses its calibration after a cold night; trips the breaker when two packs charge at once; drops
        packets behind the new firewall; cracks along the weld after 3 000 km; reports the wrong
        odometer after an update; fails the salt spray test; arrives with swapped labels; times out when
        the queue passes ten thousand rows
        """
    ),
    "reason": _listed(
        """
        because the supplier changed the alloy; because the old contract ran out; because two customers
        complained in a week; because the audit asked for it; because the cheaper one failed in the
        rain; because nobody could read the label; because shipping by sea takes five weeks; because the
        root cause was a loose connector
        """
    ),
}

_NOTES: Final = (
    ("{person} now {owns} the {part} at the {place} site.", "Who {owns} the {part} in {place}?"),
    ("We {chose} the {part} from {firm} {reason}.", "Why have we {chose} the {part} from {firm}?"),
    ("The {part} tried in {place} {fault}; {person} opened ticket {number}.",
     "What happened to the {part} tried in {place}?"),
    ("{firm} {raised} the price of one {part} to {number} euros from next quarter.",
     "Who {raised} the price of the {part}, was it {firm}?"),
    ("Shipment {number} with every {part} left {place} and reaches {person} within nine days.",
     "When does the {part} from {place} reach {person}?"),
    ("{person} {asked} {firm} for another offer on the {part}, at most {number} units a month.",
     "Who {asked} {firm} about the {part}?"),
    ("In {place} the {part} gets {looked} every {number} hours {reason}.",
     "How often is the {part} {looked} in {place}?"),
    ("The returns desk in {place} counted {number} of the {part} this spring.",
     "How many of the {part} came back to {place}?"),
    ("{person} {likes} the {part} made by {firm} {reason}.", "Which {part} is it that {person} {likes}?"),
    ("The {talk} with {firm} about the {part} moved to the office in {place}.",
     "Where is the {talk} with {firm} about the {part}?"),
    ("Nobody in {place} may open the {part} before {person} has signed for it {reason}.",
     "Who has to sign for the {part} in {place}?"),
    ("A courier for {firm} lost the {part} near {place} and {person} paid {number} euros.",
     "What did losing the {part} near {place} cost?"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A note, what one might ask to find it, and who said it when."""

    text: str
    question: str
    speaker: str
    clock: datetime
    session: str
    turn: int


TURNS_A_SESSION: Final = 20


def make_notes(count: int, *, seed: int) -> Iterator[Said]:
    """
    Yield notes of one company, a minute apart, twenty a session: few are equal, many alike.

    Names are drawn as companies use them, a few often and most rarely: the n-th of a list by 1/√n.
    """
    rng = np.random.default_rng(seed)
    for place in range(count):
        note, question = _NOTES[int(rng.integers(len(_NOTES)))]
        slots = {name: _draw(choices, rng) for name, choices in _SLOTS.items()}
        slots["number"] = str(int(rng.integers(10, 9_000)))
        yield Said(
            text=note.format(**slots),
            question=question.format(**slots),
            speaker=_draw(_SLOTS["person"], rng),
            clock=START + timedelta(minutes=place),
            session=f"session-{place // TURNS_A_SESSION}",
            turn=place % TURNS_A_SESSION,
        )


def _draw(choices: tuple[str, ...], rng: np.random.Generator) -> str:
    return choices[int(np.searchsorted(_ladder(len(choices)), rng.random()))]


@cache
def _ladder(count: int) -> NDArray[np.float64]:
    """Return the cumulated chances of `count` choices, the n-th of them drawn by 1/√n; the last is 1."""
    chances = np.cumsum(1.0 / np.sqrt(np.arange(1, count + 1)))
    return np.asarray(chances / chances[-1], dtype=np.float64)
