"""Addresses of what comes of a recall."""

from django.urls import path

from evolution.views import RecallFeedback

urlpatterns = [path("recall/<uuid:recall_id>/feedback", RecallFeedback.as_view(), name="recall-feedback")]
