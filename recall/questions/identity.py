"""Who asks: the names that «I» and «my project» stand for (SPEC R-18)."""

from dataclasses import dataclass

from memories.storage import within_sight
from recall.questions.question import Question
from recall.questions.references import says_i, says_my_project
from tenants.models import Project
from tenants.rights import narrowed
from tenants.scope import unit_of_work, viewer_in_force


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What is known of the asker; empty where a question does not ask for it or nobody knows."""

    speaker: str = ""
    project: str = ""


def names_of(question: Question) -> Names:
    """
    Return the asker's names, for the viewer in force; reads only what the question's words call for.

    «I» is the speaker the question names, else the person who spoke last in its session.
    """
    project_id = question.project_id or viewer_in_force().project_id
    needs_speaker = not question.speaker and bool(question.session) and says_i(question.query)
    needs_project = project_id is not None and says_my_project(question.query)
    speaker, project = question.speaker, ""
    if needs_speaker or needs_project:
        with unit_of_work():
            speaker = _last_speaker(question.session) if needs_speaker else speaker
            project = _name(Project.objects.filter(id=project_id).first()) if needs_project else project
    return Names(speaker=speaker, project=project)


def _last_speaker(session: str) -> str:
    rows = within_sight(None).filter(session=session, provenance="user_stated", archived_at=None)
    rows = narrowed(rows.exclude(speaker=""), viewer_in_force(), "project_id")
    return rows.order_by("-turn", "-id").values_list("speaker", flat=True).first() or ""


def _name(project: Project | None) -> str:
    return "" if project is None else project.name or project.slug
