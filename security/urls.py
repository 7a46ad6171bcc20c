"""Addresses of keys, people, agents, projects and the trail."""

from django.urls import path, register_converter

from security.audit.views import Trail, TrailVerified
from security.gate.views import Gate, GateClosed, GateOpened, GateValidated
from security.keys.views import Agents, Keys, OneAgent, OneKey, OneProject, Projects, RotatedKey
from security.people.views import People, Permissions, Username

register_converter(Username, "username")

urlpatterns = [
    path("keys", Keys.as_view(), name="keys"),
    path("keys/<uuid:key_id>", OneKey.as_view(), name="key"),
    path("keys/<uuid:key_id>/rotate", RotatedKey.as_view(), name="key-rotate"),
    path("people", People.as_view(), name="people"),
    path("people/<username:user>/permissions", Permissions.as_view(), name="permissions"),
    path("projects", Projects.as_view(), name="projects"),
    path("projects/<slug:slug>", OneProject.as_view(), name="project"),
    path("audit", Trail.as_view(), name="audit"),
    path("audit/verify", TrailVerified.as_view(), name="audit-verify"),
    path("gate", Gate.as_view(), name="gate"),
    path("gate/close", GateClosed.as_view(), name="gate-close"),
    path("gate/validate", GateValidated.as_view(), name="gate-validate"),
    path("gate/open", GateOpened.as_view(), name="gate-open"),
    path("agents", Agents.as_view(), name="agents"),
    path("agents/<slug:slug>", OneAgent.as_view(), name="agent"),
]
