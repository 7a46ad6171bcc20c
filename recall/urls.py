"""Addresses of recall."""

from django.urls import path

from recall.http.views_context import Contexts
from recall.http.views_interests import Interests
from recall.http.views_past import OneRecall, RecallsOfMemory
from recall.http.views_policies import ActivatePolicy, OnePolicy, Policies, RetirePolicy, RollBackPolicy
from recall.http.views_recall import Recall
from recall.http.views_shadow import (
    AppliedShadowRun,
    CancelledShadowRun,
    OneShadowRun,
    ShadowRunQuestions,
    ShadowRuns,
)

urlpatterns = [
    path("recall", Recall.as_view(), name="recall"),
    path("recall/<uuid:recall_id>", OneRecall.as_view(), name="past-recall"),
    path("memories/<uuid:memory_id>/recalls", RecallsOfMemory.as_view(), name="memory-recalls"),
    path("context", Contexts.as_view(), name="context"),
    path("interests", Interests.as_view(), name="interests"),
    path("policies", Policies.as_view(), name="policies"),
    path("policies/rollback", RollBackPolicy.as_view(), name="policy-rollback"),
    path("policies/<uuid:policy_id>", OnePolicy.as_view(), name="policy"),
    path("policies/<uuid:policy_id>/activate", ActivatePolicy.as_view(), name="policy-activate"),
    path("policies/<uuid:policy_id>/retire", RetirePolicy.as_view(), name="policy-retire"),
    path("shadow-runs", ShadowRuns.as_view(), name="shadow-runs"),
    path("shadow-runs/<uuid:shadow_id>", OneShadowRun.as_view(), name="shadow-run"),
    path("shadow-runs/<uuid:shadow_id>/questions", ShadowRunQuestions.as_view(), name="shadow-questions"),
    path("shadow-runs/<uuid:shadow_id>/apply", AppliedShadowRun.as_view(), name="shadow-apply"),
    path("shadow-runs/<uuid:shadow_id>/cancel", CancelledShadowRun.as_view(), name="shadow-cancel"),
]
