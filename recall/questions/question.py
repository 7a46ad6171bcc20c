"""A question, made ready: folded, tokenised, embedded once, with its asker and clock."""

import logging
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.calibration import Calibration
from memories.embedders import Embedder, NoEmbedder, get_embedder, get_embedder_of
from memories.language import fold, phrases, tag_terms, words
from memories.storage import vector_text
from memories.vectors import homes_in_sight
from recall.metrics import count_vector, stage
from recall.questions.answer_type import asks_for_current_value, counted
from recall.questions.references import resolve_references
from recall.questions.temporal_query import When, find_when
from recall.questions.vectors import kept_vector
from recall.questions.where import EVERYTHING, Where
from security.patterns import bounded
from security.screening.secrets import redact
from tenants.scope import Overloaded, viewer_in_force

log = logging.getLogger(__name__)

_SURFACE = bounded(r"[^\W_][\w.+-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked. `now` is the asker's clock; None means the service's."""

    query: str
    k: int | None = None
    project_id: UUID | None = None
    session: str = ""
    layer: str = ""  #: of the conversation; empty: not known, so none is lifted
    ceiling: int | None = None
    now: datetime | None = None
    timezone: str = "UTC"
    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    where: Where = EVERYTHING  #: what memories must be like, on any axis
    channels: tuple[str, ...] = ()
    deep: bool = False
    valid_at: datetime | None = None  #: what held then is asked for
    known_at: datetime | None = None  #: as far as it was known then
    speaker: str = ""  #: who «I» is, as captures name them
    follows: UUID | None = None  #: the recall that it is a follow-up of
    seed: int | None = None
    explain: bool = False
    policy: str | None = None
    leave_out: tuple[str, ...] = ()  #: of `recall.policies.policy.PARTS`
    min_relevance: float | None = None  #: in [0, 1]; None: the space's own, see `recall.answering.relevance`
    quotes: bool = True  #: whether a result tells the words of others: of its like, of its turn

    @property
    def projects(self) -> list[UUID] | None:
        """Return the projects it is about; None: the asker's own."""
        return [self.project_id] if self.project_id else None

    def local(self, now: datetime) -> datetime:
        """Return the asker's clock in the asker's zone: the one named, else the offset it came with."""
        asked_at = self.now or now
        return asked_at.astimezone(ZoneInfo(self.timezone)) if self.names_zone else asked_at

    @property
    def names_zone(self) -> bool:
        """Whether the asker's zone is the one that is named, UTC included, and not just an offset."""
        return self.timezone != "UTC" or self.now is None

    @property
    def asks_of_another_time(self) -> bool:
        """Whether another moment than now is asked of, be it of what held or of what was known."""
        return self.valid_at is not None or self.known_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question as the channels take it. `vector` is None when the embedder is out."""

    query: str  #: folded and redacted: what is logged
    as_said: str  #: redacted, without its spaces: whether it quotes a memory is told by this
    terms: tuple[str, ...]
    tag_terms: tuple[str, ...]
    required_tags: tuple[str, ...]
    vector: str | None  #: as PostgreSQL writes a halfvec
    space: str
    of_passages: Calibration  #: what the space's cosines mean, question to a text as it stands
    of_turns: Calibration  #: the same to a turn told with its speaker and day
    wants_current_value: bool = False  #: what something is now, not what it was
    counted: tuple[str, ...] | None = None  #: patterns that a text fits if it counts what is asked
    when: When | None = None  #: the time or the last of a kind that its words ask for
    sought: str = ""  #: the query with what «I», «my project» and «it» are


@stage("prepare")
def prepare(
    question: Question,
    *,
    now: datetime,
    speaker: str = "",
    project: str = "",
    understood: str = "",
    space: str | None = None,
) -> Prepared:
    """
    Return the question tokenised and embedded. An embedder that fails is reported by a missing vector.

    now: the service's clock, by which the question's times are told if it has none of its own. speaker,
    project: the names of who and what «I» and «my project» are, if known. understood: a
    follow-up with what it points back at; empty: it points at nothing. space: to embed it for; None: the
    tenant's own.
    """
    as_said = redact(question.query).text
    query = fold(as_said)
    when = find_when(query, clock=question.now or now, zone=ZoneInfo(question.timezone))
    resolved = resolve_references(understood or query, speaker=speaker, project=project)
    sought = query if resolved == query else fold(redact(resolved).text)
    surface = _SURFACE.findall(sought.casefold())
    space = space or homes_in_sight()[0].space  # see Note [One space for a question] in vector_spaces
    embedder = _embedder_of(space)
    judging = embedder or get_embedder()  # without a vector there is no cosine to judge
    return Prepared(
        query=query,
        as_said="".join(as_said.split()),
        terms=_terms(sought, when),
        tag_terms=tuple(tag_terms(phrases(surface))),
        required_tags=tuple(tag_terms(question.tags)),
        vector=_embed(sought, embedder, counted=bool(question.session)),
        space=space,
        of_passages=judging.calibration("query-passage"),
        of_turns=judging.calibration("query-turn"),
        wants_current_value=asks_for_current_value(query) and not (when and when.range and when.range.past),
        counted=counted(query),
        when=when,
        sought=sought,
    )


def _terms(sought: str, when: When | None) -> tuple[str, ...]:
    """
    Return the words to search by. «Last week» is not among them: it was another week when somebody wrote it.
    """
    terms = dict.fromkeys(words(sought))
    if when is None or when.range is None or not when.range.relative:
        return tuple(terms)
    said = set(words(when.range.words)) - set(words(when.range.rest))
    return tuple(term for term in terms if term not in said)


def _embedder_of(space: str) -> Embedder | None:
    """Return what embeds in this space, None when it is configured no more."""
    try:
        return get_embedder_of(space)
    except NoEmbedder:
        log.exception("the tenant's embedder is gone")
        return None


def _embed(query: str, embedder: Embedder | None, *, counted: bool) -> str | None:
    """Return the question's vector as PostgreSQL writes it: thought of ahead, or made now."""
    if embedder is None:
        return None
    vector = kept_vector(viewer_in_force().tenant_id, space=embedder.space, query=query)
    if counted:
        count_vector(ahead=vector is not None)
    try:
        vector = embedder.embed_query(query) if vector is None else vector
    except Overloaded:
        raise  # the asker's own doing: to answer without meaning would only hide it
    except Exception:
        # Whatever stops an embedder (a model's file, a provider's outage) must not stop a recall (SPEC O-04);
        # the answer names the channel that is missing.
        log.exception("the question could not be embedded")
        return None
    return vector_text(vector)
