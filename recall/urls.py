"""Addresses of recall."""

from django.urls import path

from recall.views import Recall
from recall.views_context import Contexts

urlpatterns = [
    path("recall", Recall.as_view(), name="recall"),
    path("context", Contexts.as_view(), name="context"),
]
