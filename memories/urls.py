"""Addresses of captures and memories."""

from django.urls import path

from memories.views import Captures, Memories, MemoryHistory, MemoryLinks, OneCapture, OneMemory

urlpatterns = [
    path("captures", Captures.as_view(), name="captures"),
    path("captures/<uuid:capture_id>", OneCapture.as_view(), name="capture"),
    path("memories", Memories.as_view(), name="memories"),
    path("memories/<uuid:memory_id>", OneMemory.as_view(), name="memory"),
    path("memories/<uuid:memory_id>/history", MemoryHistory.as_view(), name="memory-history"),
    path("memories/<uuid:memory_id>/links", MemoryLinks.as_view(), name="memory-links"),
]
