"""Addresses of what comes of a recall."""

from django.urls import path

from evolution.http.views_consolidation import UnconsolidateMemory
from evolution.http.views_erasure import ForgetMemory, RevertedWithdrawal, Withdrawals
from evolution.http.views_events import Events
from evolution.http.views_feedback import Outcomes, RecallFeedback, Uses
from evolution.http.views_learning import Learning, LearningEstimate, LearningRefit
from evolution.http.views_persons import ExportPerson, ForgetPerson
from evolution.http.views_sleep import OneSleepRun, SleepRuns
from evolution.http.views_statistics import Lint, MemoryStatistics
from evolution.http.views_watermarks import (
    AnswerVerification,
    Calibrations,
    Observations,
    OneVerification,
    Verifications,
    Watermarks,
)
from evolution.http.views_webhooks import (
    OneWebhook,
    WebhookPing,
    WebhookReplay,
    Webhooks,
    WebhookSecret,
)

urlpatterns = [
    path("recall/<uuid:recall_id>/feedback", RecallFeedback.as_view(), name="recall-feedback"),
    path("feedback", Uses.as_view(), name="feedback"),
    path("outcomes", Outcomes.as_view(), name="outcomes"),
    path("memories/<uuid:memory_id>/forget", ForgetMemory.as_view(), name="memory-forget"),
    path(
        "memories/<uuid:memory_id>/unconsolidate",
        UnconsolidateMemory.as_view(),
        name="memory-unconsolidate",
    ),
    path("withdrawals", Withdrawals.as_view(), name="withdrawals"),
    path(
        "withdrawals/<uuid:withdrawal_id>/revert",
        RevertedWithdrawal.as_view(),
        name="withdrawal-reverted",
    ),
    path("persons/export", ExportPerson.as_view(), name="person-export"),
    path("persons/forget", ForgetPerson.as_view(), name="person-forget"),
    path("verify-first", Verifications.as_view(), name="verifications"),
    path("verify-first/<uuid:verification_id>", OneVerification.as_view(), name="verification"),
    path(
        "verify-first/<uuid:verification_id>/answer",
        AnswerVerification.as_view(),
        name="verification-answer",
    ),
    path("learning", Learning.as_view(), name="learning"),
    path("learning/estimate", LearningEstimate.as_view(), name="learning-estimate"),
    path("learning/refit", LearningRefit.as_view(), name="learning-refit"),
    path("lint", Lint.as_view(), name="lint"),
    path("statistics", MemoryStatistics.as_view(), name="statistics"),
    path("watermarks", Watermarks.as_view(), name="watermarks"),
    path("watermarks/calibration", Calibrations.as_view(), name="watermarks-calibration"),
    path("watermarks/observe", Observations.as_view(), name="watermarks-observe"),
    path("sleep-runs", SleepRuns.as_view(), name="sleep-runs"),
    path("sleep-runs/<uuid:run_id>", OneSleepRun.as_view(), name="sleep-run"),
    path("events", Events.as_view(), name="events"),
    path("webhooks", Webhooks.as_view(), name="webhooks"),
    path("webhooks/<uuid:webhook_id>", OneWebhook.as_view(), name="webhook"),
    path("webhooks/<uuid:webhook_id>/rotate", WebhookSecret.as_view(), name="webhook-rotate"),
    path("webhooks/<uuid:webhook_id>/replay", WebhookReplay.as_view(), name="webhook-replay"),
    path("webhooks/<uuid:webhook_id>/ping", WebhookPing.as_view(), name="webhook-ping"),
]
