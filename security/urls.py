"""Addresses of keys, agents and projects."""

from django.urls import path

from security.views import Agents, Keys, OneAgent, OneKey, OneProject, Projects

urlpatterns = [
    path("keys", Keys.as_view(), name="keys"),
    path("keys/<uuid:key_id>", OneKey.as_view(), name="key"),
    path("projects", Projects.as_view(), name="projects"),
    path("projects/<slug:slug>", OneProject.as_view(), name="project"),
    path("agents", Agents.as_view(), name="agents"),
    path("agents/<slug:slug>", OneAgent.as_view(), name="agent"),
]
