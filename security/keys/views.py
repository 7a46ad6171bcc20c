"""Keys, agents and projects over HTTP: made with the scope `admin`, agents and projects read with `read`."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, NoReturn, TypeVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from security.keys.enrolment import enrol_agent, enrol_project
from security.keys.lifecycle import (
    KeyRequest,
    ListsForNobody,
    Narrowing,
    NotInForce,
    SpeaksForTwo,
    Wider,
    get_key,
    list_keys,
    make_key,
    narrow_key,
    revoke_key,
    rotate_key,
)
from security.keys.serializers import (
    AgentPage,
    AgentShown,
    AgentWish,
    KeyMade,
    KeyNarrowing,
    KeyPage,
    KeyRotation,
    KeyShown,
    KeyWish,
    ProjectPage,
    ProjectShown,
    ProjectWish,
    RevokeQuery,
)
from security.people import get_person
from security.rest import (
    Done,
    PageQuery,
    Problem,
    done_once,
    field_problem,
    last_id,
    named_agent,
    named_project,
    page,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer
from tenants.create import SlugTaken
from tenants.read import get_agent, get_project, list_agents, list_projects
from tenants.scope import NotFound, viewer_in_force

Made = TypeVar("Made")


def _secret_is_gone(done: Done) -> NoReturn:
    """Refuse: the secret was in the first answer and is kept nowhere."""
    told = "This request made a key, and its secret was shown then. Revoke that key and make another."
    raise Problem(409, "key-shown-once", told, key=done.kept["id"])


def _project_made(done: Done) -> Any:
    return ProjectShown(get_project(done.sent["slug"])).data


def _agent_made(done: Done) -> Any:
    return AgentShown(get_agent(done.sent["slug"])).data


class Keys(Door):
    """The tenant's keys."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="list_keys", parameters=[PageQuery], responses=KeyPage)
    def get(self, request: Request) -> Response:
        """List keys, newest first; the secrets are not in it."""
        query = read_query(PageQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_keys(after=last_id(after), most=most),
                lambda row: KeyShown(row).data,
                query,
            )
        )

    @extend_schema(operation_id="create_key", request=KeyWish, responses={201: KeyMade})
    @done_once(_secret_is_gone, keeps=("id",))
    def post(self, request: Request) -> Response:
        """Make a key, allowed no more than the one that asks. The answer shows it this once."""
        wish = read(KeyWish, request.data)
        wanted = KeyRequest(
            name=wish["name"],
            scopes=tuple(dict.fromkeys(wish["scopes"])),
            ceiling=int(wish["ceiling"]),
            agent_id=_named_agent(wish.get("agent")),
            project_id=named_project(wish.get("project")),
            user_id=_named_person(wish.get("person")),
            external=wish["external"],
            expires_at=wish.get("expires_at"),
            relays_users=wish.get("relays_users"),
            measures=wish.get("measures"),
            max_importance=wish.get("max_importance"),
            projects=_listed_projects(wish.get("projects", ())),
            persons=tuple(dict.fromkeys(wish.get("persons", ()))),
        )
        try:
            key, shown_once = make_key(wanted, now=timezone.now())
        except SpeaksForTwo as both:
            raise field_problem("person", str(both)) from both
        except ListsForNobody as unfit:
            raise field_problem("projects", str(unfit)) from unfit
        return Response({**KeyShown(get_key(key.id)).data, "key": shown_once}, status=201)


class OneKey(Door):
    """One key."""

    scopes: ClassVar = {"GET": "admin", "PATCH": "admin", "DELETE": "admin"}

    @extend_schema(
        operation_id="narrow_key",
        request=KeyNarrowing,
        responses={200: KeyShown, **problem_answer(409, "The key is not in force, or would have more.")},
    )
    def patch(self, request: Request, key_id: UUID) -> Response:
        """Take scopes, grants or projects from a key, or lower its ceiling: from the next request on."""
        wish = read(KeyNarrowing, request.data)
        with _key_problems():
            reason = wish.pop("reason", "")
            if "projects" in wish:
                wish["projects"] = _listed_projects(wish["projects"])
            narrowed = narrow_key(key_id, Narrowing(**wish), now=timezone.now(), reason=reason)
        return Response(KeyShown(narrowed).data)

    @extend_schema(operation_id="get_key", responses=KeyShown)
    def get(self, _request: Request, key_id: UUID) -> Response:
        """Show a key without its secret."""
        return Response(KeyShown(get_key(key_id)).data)

    @extend_schema(operation_id="revoke_key", parameters=[RevokeQuery], responses={204: None})
    def delete(self, request: Request, key_id: UUID) -> Response:
        """Revoke a key: it is refused from the next request on. The row stays, for the trail."""
        query = read_query(RevokeQuery, request.query_params)
        revoke_key(key_id, now=timezone.now(), reason=query.get("reason", ""))
        return Response(status=204)


class RotatedKey(Door):
    """A key's successor."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="rotate_key",
        request=KeyRotation,
        responses={201: KeyMade, **problem_answer(409, "The key is not in force.")},
    )
    @done_once(_secret_is_gone, keeps=("id",))
    def post(self, request: Request, key_id: UUID) -> Response:
        """Make a key that may do the same; the old one ends after the overlap. It is shown this once."""
        wish = read(KeyRotation, request.data)
        with _key_problems():
            key, shown_once = rotate_key(
                key_id,
                overlap=timedelta(hours=wish["overlap_hours"]),
                now=timezone.now(),
                reason=wish.get("reason", ""),
            )
        return Response({**KeyShown(get_key(key.id)).data, "key": shown_once}, status=201)


@contextmanager
def _key_problems() -> Iterator[None]:
    try:
        yield
    except NotInForce as ended:
        raise Problem(409, "key-not-in-force", str(ended)) from ended
    except Wider as wider:
        raise Problem(409, "key-wider", str(wider)) from wider


class Projects(Door):
    """The tenant's projects."""

    scopes: ClassVar = {"GET": "read", "POST": "admin"}

    @extend_schema(operation_id="list_projects", parameters=[PageQuery], responses=ProjectPage)
    def get(self, request: Request) -> Response:
        """List projects, newest first; a bound key sees its own."""
        within = viewer_in_force().project_id
        query = read_query(PageQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_projects(within=within, after=last_id(after), most=most),
                lambda row: ProjectShown(row).data,
                query,
            )
        )

    @extend_schema(
        operation_id="create_project",
        request=ProjectWish,
        responses={201: ProjectShown, **problem_answer(409, "The slug is in use.")},
    )
    @done_once(_project_made)
    def post(self, request: Request) -> Response:
        """Make a project."""
        wish = read(ProjectWish, request.data)
        project = _enrol(lambda: enrol_project(wish["slug"], name=wish["name"], now=timezone.now()))
        return Response(ProjectShown(project).data, status=201)


class OneProject(Door):
    """One project."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_project", responses=ProjectShown)
    def get(self, _request: Request, slug: str) -> Response:
        """Show a project."""
        project = get_project(slug)
        if viewer_in_force().project_id not in (None, project.id):
            raise NotFound(NotFound.__doc__)
        return Response(ProjectShown(project).data)


class Agents(Door):
    """The tenant's agents."""

    scopes: ClassVar = {"GET": "read", "POST": "admin"}

    @extend_schema(operation_id="list_agents", parameters=[PageQuery], responses=AgentPage)
    def get(self, request: Request) -> Response:
        """List agents, newest first; a bound key sees those of its project."""
        within = viewer_in_force().project_id
        query = read_query(PageQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_agents(within=within, after=last_id(after), most=most),
                lambda row: AgentShown(row).data,
                query,
            )
        )

    @extend_schema(
        operation_id="create_agent",
        request=AgentWish,
        responses={201: AgentShown, **problem_answer(409, "The slug is in use.")},
    )
    @done_once(_agent_made)
    def post(self, request: Request) -> Response:
        """Make an agent, whose ceiling is no higher than the key's."""
        wish = read(AgentWish, request.data)
        project_id = named_project(wish.get("project"))
        agent = _enrol(
            lambda: enrol_agent(
                wish["slug"],
                name=wish["name"],
                ceiling=int(wish["ceiling"]),
                domains=wish.get("domains", ()),
                project_id=project_id,
                now=timezone.now(),
            )
        )
        return Response(AgentShown(agent).data, status=201)


class OneAgent(Door):
    """One agent."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_agent", responses=AgentShown)
    def get(self, _request: Request, slug: str) -> Response:
        """Show an agent."""
        agent = get_agent(slug)
        if viewer_in_force().project_id not in (None, agent.project_id):
            raise NotFound(NotFound.__doc__)
        return Response(AgentShown(agent).data)


def _listed_projects(slugs: Iterable[str]) -> tuple[UUID, ...]:
    """Return the ids of the projects. Raises a 400 problem for one that is not there."""
    try:
        return tuple(dict.fromkeys(get_project(slug).id for slug in slugs))
    except NotFound:
        raise field_problem("projects", "There is no such project.") from None


def _named_agent(slug: str | None) -> UUID | None:
    """Return the agent that a wish names, else the one the key is bound to. Raises a 400 problem."""
    return viewer_in_force().agent_id if slug is None else named_agent(slug)


def _named_person(username: str | None) -> int | None:
    """Return the id of the person that a wish names. Raises a 400 problem."""
    try:
        return None if username is None else get_person(username).user_id
    except NotFound:
        raise field_problem("person", "There is no such person.") from None


def _enrol(make: Callable[[], Made]) -> Made:
    try:
        return make()
    except SlugTaken as taken:
        raise Problem(409, "slug-taken", str(taken)) from taken
