"""Addresses of recall."""

from django.urls import path

from recall.views import Recall

urlpatterns = [path("recall", Recall.as_view(), name="recall")]
