"""
Decide which names are one entity (SPEC M-10). Pure: it is given who goes by which name, and plans what to
write.

# Note [One entity, one row for each class]
A memory of a class may speak only of entity rows of its own class or below, so that whoever may see the
memory may see whom it speaks of; of several rows of one name the lowest counts. When a name becomes known
below its former class, the row there takes over what the higher one had.

# Note [Kept apart]
A name that was learnt to mean two entities means neither: its alias is pointed at a row of its own. Which of
them an earlier memory meant is not decided again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from memories.entity_resolution.mentions import MOST_NAMES, Names, Spoken, group_by_start
from memories.entity_resolution.name_forms import find_forms
from memories.language import Named


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Somebody goes by a name: by the entity's own, or by an alias."""

    key: str
    entity_id: UUID
    rank: int  #: class of the alias, or of the entity
    entity_rank: int
    is_alias: bool = False
    is_manual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntity:
    """An entity to be written."""

    id: UUID
    named: Named
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A memory speaks of an entity, by these names."""

    memory_id: UUID
    entity_id: UUID
    names: tuple[Named, ...]

    @property
    def type(self) -> str:
        """The first type that is known."""
        return next((named.type for named in self.names if named.type != "thing"), "thing")


class Directory:
    """Who goes by which name, and what has to be written for it to stay so."""

    def __init__(self, known: Iterable[Known], *, new_id: Callable[[], UUID]) -> None:
        self._new_id = new_id
        self._own: dict[str, dict[int, UUID]] = {}
        self._aliases: dict[str, dict[int, Known]] = {}
        self._rank: dict[UUID, int] = {}
        self._after: dict[UUID, UUID] = {}
        self.new: list[NewEntity] = []
        self.moves: list[tuple[UUID, UUID]] = []  #: (former, entity), in order
        self.learnt: dict[tuple[str, int], UUID] = {}  #: (key, class) to entity
        for one in known:
            self._rank[one.entity_id] = one.entity_rank
            if one.is_alias:
                self._aliases.setdefault(one.key, {})[one.rank] = one
            else:
                self._own.setdefault(one.key, {})[one.rank] = one.entity_id

    def read(self, spoken: Spoken, names: Names) -> list[Said]:
        """Return whom a memory speaks of; what its text says of names is learnt, if it is trusted."""
        same: dict[str, UUID] = {}
        for short, long in names.pairs:
            entity = self.resolve(long, spoken.rank)
            if self._is_anothers(short.key, entity, spoken.rank):
                continue
            same[short.key] = entity
            if spoken.trusted:
                self.learn(short, entity, spoken.rank)
        said: dict[UUID, list[Named]] = {}
        wholes = [named for named in names.names if named.key not in names.parts]
        for named in (*wholes, *self._known_in(spoken, names)):
            found = same.get(named.key) or self._meet(named, spoken)
            said.setdefault(found, []).append(named)
        for named in names.names:
            if (whole := names.parts.get(named.key)) is not None:
                said.setdefault(self.resolve(whole, spoken.rank), []).append(named)
        merged: dict[UUID, list[Named]] = {}
        for entity, these in said.items():
            merged.setdefault(self.follow(entity), []).extend(these)
        return [
            Said(memory_id=spoken.memory_id, entity_id=entity, names=tuple(these))
            for entity, these in merged.items()
        ]

    def follow(self, entity: UUID) -> UUID:
        """Return the entity that took over from this one, or itself."""
        while entity in self._after:
            entity = self._after[entity]
        return entity

    def resolve(self, named: Named, rank: int) -> UUID:
        """Return the entity of a name for a memory of this class; a new one when nobody goes by it."""
        return self._find(named.key, rank) or self._add(named, rank)

    def learn(self, named: Named, entity: UUID, rank: int) -> None:
        """Let a name mean an entity, or nobody's but its own when it means another already."""
        known = self._visible(named.key, rank)
        targets = {self.follow(one.entity_id) for one in known}
        if any(one.is_manual for one in known) or targets == {entity}:
            return
        own = self._by_own(named.key, rank)
        if targets:
            own = own or self._add(named, rank)
            if targets != {own}:
                self._alias(named.key, own, rank)
            return
        if own == entity:
            return
        if own is not None and self._rank[entity] <= self._rank[own]:
            self._move(own, entity)
        self._alias(named.key, entity, rank)

    def _meet(self, named: Named, spoken: Spoken) -> UUID:
        """Return the entity of a name, and learn its other forms if the memory is trusted."""
        rank = spoken.rank
        if not spoken.trusted:
            return self.resolve(named, rank)
        forms = find_forms(named)
        if forms.plain:
            self.learn(
                named, self.resolve(Named(key=forms.plain, name=forms.plain, type=named.type), rank), rank
            )
        fuller = {entity for key in forms.fuller if (entity := self._find(key, rank)) is not None}
        if len(fuller) == 1:
            self.learn(named, fuller.pop(), rank)
        entity = self.resolve(named, rank)
        for key in forms.kept:
            self.learn(Named(key=key, name=key), entity, rank)
        for key in forms.shorter:
            if self._find(key, rank) is not None:
                self.learn(Named(key=key, name=key), entity, rank)
        return self.follow(entity)

    def _known_in(self, spoken: Spoken, names: Names) -> Iterator[Named]:
        """
        Yield names in a text without capitals that somebody goes by, the longest at each place.

        What reads names does not know them by their form: 海岚 is one since a text has said so.
        """
        left = MOST_NAMES - len(names.names)
        had = [name.key for name in names.names]
        end = 0
        for start, candidates in group_by_start(spoken.content):
            if left <= 0 or start < end:
                continue
            for name in candidates:
                if self._find(name, spoken.rank) is None:
                    continue
                end = start + len(name)
                if not any(name in key for key in had):
                    had.append(name)
                    left -= 1
                    yield Named(key=name, name=name)
                break

    def _find(self, key: str, rank: int) -> UUID | None:
        """Return whom a name means, if anybody goes by it."""
        return self._by_alias(key, rank) or self._by_own(key, rank)

    def _is_anothers(self, key: str, entity: UUID, rank: int) -> bool:
        """Tell whether a person has said that a name means another than this entity."""
        said = [one for one in self._visible(key, rank) if one.is_manual]
        return any(self.follow(one.entity_id) != self.follow(entity) for one in said)

    def _visible(self, key: str, rank: int) -> list[Known]:
        rows = self._aliases.get(key, {})
        return [
            one
            for at, one in sorted(rows.items())
            if at <= rank and self._rank[self.follow(one.entity_id)] <= rank
        ]

    def _by_alias(self, key: str, rank: int) -> UUID | None:
        known = self._visible(key, rank)
        targets = {self.follow(one.entity_id) for one in known}
        if manual := [one for one in known if one.is_manual]:
            return self.follow(manual[0].entity_id)
        return targets.pop() if len(targets) == 1 else None

    def _by_own(self, key: str, rank: int) -> UUID | None:
        rows = self._own.get(key, {})
        lowest = min((at for at in rows if at <= rank), default=None)
        return None if lowest is None else rows[lowest]

    def _add(self, named: Named, rank: int) -> UUID:
        rows = self._own.setdefault(named.key, {})
        higher = [entity for at, entity in rows.items() if at > rank]
        entity = rows[rank] = self._new_id()
        self._rank[entity] = rank
        self.new.append(NewEntity(id=entity, named=named, rank=rank))
        for former in higher:
            self._move(former, entity)
        return entity

    def _move(self, former: UUID, entity: UUID) -> None:
        if former not in self._after and former != self.follow(entity):
            self._after[former] = entity
            self.moves.append((former, entity))

    def _alias(self, key: str, entity: UUID, rank: int) -> None:
        self.learnt[key, rank] = entity
        self._aliases.setdefault(key, {})[rank] = Known(
            key=key, entity_id=entity, rank=rank, entity_rank=self._rank[entity], is_alias=True
        )
