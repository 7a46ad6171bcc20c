"""
Show rows that say the same once (SPEC K-04).

A group is what the asker may see of it: it is made of the rows that this recall found, and what is read of
the others goes through the same sight. The newest of the best origin stands for all, at the place of the one
that answers best; echoes never stand for others, and are no voice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.domain import PASSAGE, PROVENANCE_WEIGHT
from recall.channels import SQL
from recall.ranking import fill_nan
from recall.retrieval.candidate_query import Pool, Search
from recall.retrieval.updates import BEARS_ON, LIFT_FROM, UPDATES, Update, is_weaker

Floats = NDArray[np.float64]

LIKENESS: Final = "similar_to"
"""Link by which an arbiter, or a person, says that two statements say the same."""

LEFT_OUT: Final = -1.0
"""Score of a row that another one stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What the asker sees of the rows that say the same."""

    others: tuple[UUID, ...] = ()  #: those beside the one that is shown, oldest first
    voices: int = 1  #: people and agents that said so by themselves
    said: str | None = None  #: the words by which it was found, when another row stands for them


def collapse(scores: Floats, pool: Pool) -> tuple[Floats, dict[int, int], dict[int, int]]:
    """
    Return the scores with one row left of each group, which row it was found by, and which stands for each.

    The row that stands for its group takes the best score of it. Both maps: row → row.
    """
    members: dict[UUID, list[int]] = {}
    for row, group in enumerate(pool.columns["group_id"]):
        if group is not None and scores[row] >= 0:
            members.setdefault(group, []).append(row)
    scores, found_by, shown_for = scores.copy(), dict[int, int](), dict[int, int]()
    for rows in members.values():
        if len(rows) < 2:
            continue
        shown = max(rows, key=lambda row: _stands(pool, row))
        best = max(rows, key=lambda row: float(scores[row]))
        top = scores[best]
        scores[rows] = LEFT_OUT
        scores[shown] = top
        shown_for |= dict.fromkeys(rows, shown)
        if best != shown:
            found_by[shown] = best
    return scores, found_by, shown_for


def _stands(pool: Pool, row: int) -> tuple[bool, float, float]:
    return (
        not pool.columns["echo"][row],
        PROVENANCE_WEIGHT[pool.columns["provenance"][row]],
        float(pool.columns["effective_at"][row]),
    )


def leave_out_repeated_facts(scores: Floats, pool: Pool) -> Floats:
    """
    Return the scores without facts that stand behind the passage they were drawn from (SPEC M-11).

    Their words are in it. A fact that answers better stands before its passage, which stays: what was asked
    may be in another of its sentences.
    """
    captures, kinds = pool.columns["of_passage"], pool.columns["kind"]
    drawn = [row for row, capture in enumerate(captures) if capture is not None and scores[row] >= 0]
    passages = {captures[row]: scores[row] for row in drawn if kinds[row] == PASSAGE}
    repeated = [
        row for row in drawn if kinds[row] != PASSAGE and scores[row] <= passages.get(captures[row], LEFT_OUT)
    ]
    scores = scores.copy()
    scores[repeated] = LEFT_OUT
    return scores


def fold(
    scores: Floats, pool: Pool, updates: Sequence[Update], *, nearness: Floats
) -> tuple[Floats, dict[int, list[int]]]:
    """
    Return the scores with rows left out that probably say what another row says, and which: row → rows.

    An arbiter's «same» is no group: it only makes two results one, that of the better score, with the words
    of the other beside it. Where its word counts less than the other's (`is_weaker`), the other one takes its
    place. So does the later one, if it is told to update the other, or as surely to change what a third row
    says: a change that was taken for the same is one still. What is told to contradict, and what a person
    told apart, stays apart, and nothing is folded over a third row. Nor is what answers the question much
    worse: two texts that say the same answer alike, and an arbiter errs. scores, nearness: shape (n,); a row
    of negative score is not in the list.
    """
    alike = _find_alike(updates, nearness)
    if not alike:
        return scores.copy(), {}
    trust, origins = fill_nan(pool.numbers("trust"), 1.0), pool.columns["provenance"]

    def outweighs(row: int, other: int) -> bool:
        return is_weaker(origins[other], origins[row], gap=float(trust[row] - trust[other]))

    result, under = scores.copy(), dict[int, list[int]]()
    for row in sorted(alike, key=lambda row: -scores[row]):
        better = [
            other for other in alike[row] if 0 <= result[other] <= result[row] and outweighs(other, row)
        ]
        if better and row not in under:
            place = max(better, key=lambda other: scores[other])
            result[place], result[row] = result[row], LEFT_OUT
            under.setdefault(place, []).append(row)
    for row in sorted(alike, key=lambda row: -result[row]):
        below = [
            other
            for other in alike[row]
            if 0 <= result[other] <= result[row] and other not in under and not outweighs(other, row)
        ]
        if below:
            under[row] = sorted([*under.get(row, ()), *below], key=lambda other: -scores[other])
            result[below] = LEFT_OUT
    changes = _find_changes(updates)
    for row in [row for row, others in under.items() if changes.keys() & others]:
        able = [other for other in under[row] if row in changes.get(other, ()) and not outweighs(row, other)]
        shown = _latest_word(pool, row, able)
        if shown != row:
            result[shown], result[row] = result[row], LEFT_OUT
            under[shown] = [row, *(other for other in under.pop(row) if other != shown)]
    return result, under


def _find_changes(updates: Sequence[Update]) -> dict[int, set[int]]:
    """Return the rows that are told to update one, each with those and what it says again as surely."""
    changes: dict[int, set[int]] = {}
    for one in updates:
        if one.may_lift:
            changes.setdefault(one.newer, set()).add(one.older)
    for one in updates:
        if one.type == LIKENESS and one.confidence >= LIFT_FROM:
            changes.get(one.newer, set()).add(one.older)
    return changes


def _latest_word(pool: Pool, row: int, others: Sequence[int]) -> int:
    """Return the row that is shown of these: the last that was said; what is quoted stays."""
    if pool.columns["quoted"][row]:
        return row
    at, echo = pool.numbers("effective_at"), pool.columns["echo"]
    return max((row, *(other for other in others if not echo[other])), key=lambda one: float(at[one]))


def _find_alike(updates: Sequence[Update], nearness: Floats) -> dict[int, set[int]]:
    """Return for each row those that it probably says the same as, and that nothing sets apart from it."""

    def answer_alike(one: int, other: int) -> bool:
        least, most = sorted((float(nearness[one]), float(nearness[other])))
        return least >= BEARS_ON * most

    apart = {
        frozenset((one.older, one.newer))
        for one in updates
        if one.type != LIKENESS and (one.is_persons or one.type not in UPDATES)
    }
    alike: dict[int, set[int]] = {}
    for one in updates:
        is_apart = frozenset((one.older, one.newer)) in apart
        if one.type == LIKENESS and not is_apart and answer_alike(one.older, one.newer):
            alike.setdefault(one.older, set()).add(one.newer)
            alike.setdefault(one.newer, set()).add(one.older)
    return alike


def groups_statement(search: Search, groups: Sequence[UUID]) -> tuple[str, dict[str, Any]]:
    """Return the statement that reads the rows of these groups that the asker may see."""
    return _within_sight("read_groups", search), {**search.visible, "groups": list(groups)}


def turns_statement(search: Search, shown: Sequence[UUID]) -> tuple[str, dict[str, Any]]:
    """Return the statement that reads what the asker may see of what was said in one breath with these."""
    return _within_sight("read_turns", search), {**search.visible, "shown": list(shown)}


def discussed_statement(search: Search, shown: Sequence[UUID]) -> tuple[str, dict[str, Any]]:
    """Return the statement that counts the sessions in which the asker may see these spoken of."""
    return _within_sight("read_discussed", search), {**search.visible, "shown": list(shown)}


def _within_sight(name: str, search: Search) -> str:
    """Return the statement of this name for what the asker may see."""
    return SQL[name].replace("{seen}", " OR ".join(f"({one})" for one in search.conditions))


def read_turns(rows: Sequence[Mapping[str, Any]]) -> dict[UUID, list[Mapping[str, Any]]]:
    """Return the rows of a turn that was cut, for each shown row of it. rows: in order."""
    turns: dict[UUID, list[Mapping[str, Any]]] = {}
    for row in rows:
        turns.setdefault(row["shown"], []).append(row)
    return {shown: parts for shown, parts in turns.items() if len(parts) > 1}


def read_group(shown: UUID, rows: Sequence[Mapping[str, Any]], *, found_by: UUID | None) -> Group:
    """Return what is told of a shown row's group. rows: of that group, oldest first."""
    voices = {_voice(row) for row in rows if not row["echo"]}
    said = next((row["content"] for row in rows if row["id"] == found_by), None)
    others = tuple(row["id"] for row in rows if row["id"] != shown)
    return Group(others=others, voices=max(1, len(voices)), said=said)


def _voice(row: Mapping[str, Any]) -> str:
    """
    Return whose word a row is, by its key: an agent that may not relay users is one voice, whomever it names.

    Of a row from before voices were kept, the agent that brought it, or its speaker where none did.
    """
    return row["voice"] or (f"agent:{row['agent_id']}" if row["agent_id"] else row["speaker"].casefold())
