"""
Find what goes when a memory is forgotten, and what is made anew without it (SPEC S-05).

# Note [What goes]
The memory itself; what it corrected, for a correction repeats the sentence it puts right; what says the
same, its restatements, what was drawn from it where it is a document's passage, and what quotes it word for
word as far as who forgets may see it (else they could erase what they cannot read by three of its words),
each in the projects in which they may forget: to say the words somewhere and forget that is no way round a
right; of all these what is the same person's, or common like it (SPEC K-09); and, over any depth, what rests
on these alone. What rests on them partly is made anew without them: a pattern is dissolved, its other
findings live again, and the next night makes of them what they give; a note keeps to its other sources,
unless it tells the forgotten again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from evolution.models import Consolidation
from memories.access import FEWEST_WORDS
from memories.curation import CORRECTION
from memories.domain import PASSAGE
from memories.language import words
from memories.models import Lineage, Memory, MemoryVersion
from memories.storage import is_conclusion, within_sight
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work

ASKED: Final = "asked"
CORRECTED: Final = "corrected_by_it"
SAYS_THE_SAME: Final = "says_the_same"
RESTS_ON_IT: Final = "rests_on_it"

RETELLS: Final = 0.6
"""Share of a forgotten text's words from which a note resting on it tells it again. Ours, as for merging."""

SHORTEST_QUOTED: Final = 8
"""Characters from which a text is looked for inside others; words, as many as a sentence needs. Ours."""


@dataclass(slots=True, kw_only=True)
class ErasurePlan:
    """What is to be done; filled while the lines are followed."""

    asked: Memory
    goes: dict[UUID, Memory] = field(default_factory=dict)
    why: dict[UUID, str] = field(default_factory=dict)
    dissolved: dict[UUID, Memory] = field(default_factory=dict)  #: patterns that rest on others, too
    relieved: dict[UUID, Memory] = field(default_factory=dict)  #: what keeps to its other sources
    versions: dict[UUID, list[str]] = field(default_factory=dict)  #: former texts of what goes
    reach: frozenset[UUID | None] | None = None  #: projects in which the same words go; None: in all

    def reaches(self, project_id: UUID | None) -> bool:
        """Tell whether what merely says the same goes in this project, too."""
        return self.reach is None or project_id in self.reach

    @property
    def person(self) -> str:
        """Return whose it is that is forgotten; what others say in the same words is theirs (SPEC K-09)."""
        return self.asked.person

    @property
    def rank(self) -> int:
        """Return the highest class of what goes, 0–3."""
        return max(row.classification for row in self.goes.values())

    @property
    def texts(self) -> list[str]:
        """Return every text that goes, former ones too."""
        now = [row.content for row in self.goes.values()]
        return [*dict.fromkeys([*now, *(text for texts in self.versions.values() for text in texts)])]

    @property
    def quoted(self) -> list[str]:
        """Return those that are long enough to be looked for in other texts."""
        return [text for text in map(str.strip, self.texts) if is_quotable(text)]


def plan_erasure(memory_id: UUID, viewer: Viewer) -> ErasurePlan:
    """
    Return what goes with a memory that the viewer forgets; see Note [What goes]. Raises NotFound.

    To be called inside `unit_of_work` as the pipeline, under the store lock: what is hidden from the viewer
    goes as well, and they are not told of it.
    """
    with tenant_scope(viewer), unit_of_work():
        asked = within_sight(None).filter(id=memory_id).first()
        if asked is None:
            raise NotFound(NotFound.__doc__)
        again = _quotes(asked.content.strip()) | _restates(asked) | _drawn_from(asked)
        quoting = list(within_sight(None).filter(again).values_list("id", flat=True))
    same = Q(content_hash=asked.content_hash) | Q(id__in=quoting)
    # A pattern quotes its findings: it is not a text of its own, and follows from what it rests on.
    own = Memory.objects.filter(same, person=asked.person, consolidations__isnull=True).exclude(id=memory_id)
    plan = ErasurePlan(asked=asked, reach=reach_of(viewer))
    others = [row for row in own.order_by("id") if plan.reaches(row.project_id)]
    _take([asked], ASKED, plan)
    _take(others, SAYS_THE_SAME, plan)
    _follow_all([asked, *others], plan)
    return plan


def plan_erasure_of(rows: Sequence[Memory], viewer: Viewer) -> ErasurePlan:
    """
    Return what goes with all of these memories, of which there is one at least: nothing for its words alone.

    To be called inside `unit_of_work` as the pipeline, under the store lock.
    """
    plan = ErasurePlan(asked=rows[0], reach=reach_of(viewer))
    _take(rows, ASKED, plan)
    _follow_all(rows, plan)
    return plan


def _follow_all(rows: Sequence[Memory], plan: ErasurePlan) -> None:
    """Place what rests on these rows, and what they corrected, over any depth."""
    frontier = list(rows)
    while frontier:
        corrected = _corrected(frontier, plan)
        _take(corrected, CORRECTED, plan)
        frontier = [*corrected, *_follow([*frontier, *corrected], plan)]


def reach_of(viewer: Viewer) -> frozenset[UUID | None] | None:
    """Return the projects in which the viewer may forget; None: in all. None among them: what is in none."""
    bound = None if viewer.project_id is None else frozenset({viewer.project_id, None})
    if viewer.rights is None:
        return bound
    held = frozenset(project_id for right, project_id in viewer.rights if right == "forget")
    return held if bound is None else held & bound


def is_quotable(text: str) -> bool:
    """Tell whether a text is looked for inside others: «it is so» stands in half of them."""
    return len(text) >= SHORTEST_QUOTED and len(words(text)) >= FEWEST_WORDS


def _quotes(text: str) -> Q:
    """Return the condition of a row that says the text word for word, now or in a former version."""
    if not is_quotable(text):
        return Q(id__in=[])
    former = MemoryVersion.objects.filter(memory_id=OuterRef("id"), content__icontains=text)
    return Q(content__icontains=text) | Q(Exists(former))


def _restates(asked: Memory) -> Q:
    """Return the condition of a row that recall shows as one with this one (SPEC K-04)."""
    return Q(id__in=[]) if asked.group_id is None else Q(group_id=asked.group_id)


def _drawn_from(asked: Memory) -> Q:
    """Return the condition of a fact that was drawn from this passage: its words are the passage's."""
    if asked.kind != PASSAGE or asked.capture_id is None:
        return Q(id__in=[])
    return Q(capture_id=asked.capture_id)


def _take(rows: Iterable[Memory], why: str, plan: ErasurePlan) -> None:
    for row in rows:
        plan.goes[row.id] = row
        plan.why.setdefault(row.id, why)
        plan.relieved.pop(row.id, None)
        former = MemoryVersion.objects.filter(memory_id=row.id).order_by("version")
        plan.versions[row.id] = list(former.values_list("content", flat=True))


def _corrected(rows: Sequence[Memory], plan: ErasurePlan) -> list[Memory]:
    """Return what a correction among the rows took the place of."""
    corrections = [row.id for row in rows if row.provenance == CORRECTION and row.id in plan.goes]
    found = Memory.objects.filter(superseded_by_id__in=corrections).exclude(id__in=plan.goes)
    return list(found.order_by("id"))


def _follow(rows: Sequence[Memory], plan: ErasurePlan) -> list[Memory]:
    """Place what rests on these rows; return what of it goes or is dissolved, to be followed in turn."""
    placed = {*plan.goes, *plan.dissolved}
    ids = [row.id for row in rows]
    children = Memory.objects.filter(id__in=Lineage.objects.filter(parent_id__in=ids).values("child_id"))
    further = []
    for child in children.exclude(id__in=placed).order_by("id"):
        rests_on = set(Lineage.objects.filter(child_id=child.id).values_list("parent_id", flat=True))
        if rests_on <= placed or is_conclusion(child):
            _take([child], RESTS_ON_IT, plan)
        elif Consolidation.objects.filter(pattern_id=child.id).exists():
            plan.dissolved[child.id] = child
        elif _retells(child, rows):
            _take([child], SAYS_THE_SAME, plan)
        else:
            plan.relieved[child.id] = child
            continue
        further.append(child)
    return further


def _retells(child: Memory, rows: Iterable[Memory]) -> bool:
    """Tell whether a note has most of the words of one of the rows that it rests on."""
    own = set(words(child.content))
    told = (set(words(row.content)) for row in rows)
    return any(said and len(said & own) / len(said) >= RETELLS for said in told)
