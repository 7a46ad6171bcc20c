"""Made-up notes of a company's agents, and questions about them: as many as wanted, the same for a seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

START: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(";"))


_SLOTS: Final = {
    "person": _listed(
        """
        Anneke Bruin; Tomas Veiga; Rosa Lindgren; Idris Kaya; Mei Tanaka; Paulo Serra; Greta
        Holm; Samir Haddad; Ilse Vogel; Nuno Prates; Keiko Mori; Bram Jansen; Lucia Ferri;
        Oskar Nyman
        """
    ),
    "place": _listed(
        """
        Lisbon; Rotterdam; Hangzhou; Lyon; Gdansk; Valencia; Aarhus; Trieste; Leipzig;
        Porto; Antwerp; Malmo
        """
    ),
    "part": _listed(
        """
        battery pack; motor controller; brake lever; torque sensor; front fork; display
        firmware; charging dock; cargo box; wheel rim; wiring harness; hub dynamo; rain
        cover; seat post; telemetry gateway; payment service; warranty form; customs file;
        parcel scanner
        """
    ),
    "firm": _listed(
        """
        Northgate Freight; Solvane Motors; Kestrel Parts; Bluewharf; Ostrava Alloys;
        Quayside Bank; Hillmark; Tidewater Logistics; Yarrow Textiles; Pinecrest Labs
        """
    ),
    "fault": _listed(
        """
        loses its calibration after a cold night; trips the breaker when two packs charge at
        once; drops packets behind the new firewall; cracks along the weld after 3 000 km;
        reports the wrong odometer after an update; fails the salt spray test; arrives with
        swapped labels; times out when the queue passes ten thousand rows
        """
    ),
    "reason": _listed(
        """
        because the supplier changed the alloy; because the old contract ran out; because
        two customers complained in a week; because the audit asked for it; because the
        cheaper one failed in the rain; because nobody could read the label; because
        shipping by sea takes five weeks; because the root cause was a loose connector
        """
    ),
}

_NOTES: Final = (
    ("{person} is now responsible for the {part} at the {place} site.",
     "Who is responsible for the {part} in {place}?"),
    ("We decided to buy the {part} from {firm} {reason}.", "Why do we buy the {part} from {firm}?"),
    ("The {part} tested in {place} {fault}; {person} opened ticket {number}.",
     "What is wrong with the {part} tested in {place}?"),
    ("{firm} raised the price of one {part} to {number} euros from next quarter.",
     "What does {firm} ask for a {part}?"),
    ("Shipment {number} with every {part} left {place} and reaches {person} within nine days.",
     "Where did the shipment with the {part} for {person} leave from?"),
    ("{person} asked {firm} for a second offer on the {part}, at most {number} units a month.",
     "Who asked {firm} for a second offer on the {part}?"),
    ("In {place} the {part} must be inspected every {number} hours {reason}.",
     "How often is the {part} inspected in {place}?"),
    ("The returns desk in {place} counted {number} complaints about the {part} this spring.",
     "How many complaints about the {part} did {place} count?"),
    ("{person} prefers the {part} made by {firm} {reason}.", "Which {part} does {person} prefer?"),
    ("The meeting with {firm} about the {part} moved to the office in {place}.",
     "Where is the meeting with {firm} about the {part}?"),
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
    """Yield notes of one company, a minute apart, twenty a session: few are equal, many alike."""
    rng = np.random.default_rng(seed)
    for place in range(count):
        note, question = _NOTES[int(rng.integers(len(_NOTES)))]
        slots = {name: choices[int(rng.integers(len(choices)))] for name, choices in _SLOTS.items()}
        slots["number"] = str(int(rng.integers(10, 9_000)))
        speakers = _SLOTS["person"]
        yield Said(
            text=note.format(**slots),
            question=question.format(**slots),
            speaker=speakers[int(rng.integers(len(speakers)))],
            clock=START + timedelta(minutes=place),
            session=f"session-{place // TURNS_A_SESSION}",
            turn=place % TURNS_A_SESSION,
        )
