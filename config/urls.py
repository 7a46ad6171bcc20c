"""Every address of the service."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerView

from config.health import Live, Ready
from config.mcp import mcp, protected_resource
from config.metrics import metrics

_api: list[URLPattern | URLResolver] = [
    path("", include("recall.urls")),  # asked most, so found first
    path("health/live", Live.as_view(), name="health-live"),
    path("health/ready", Ready.as_view(), name="health-ready"),
    path("schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("docs", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    path("", include("security.urls")),
    path("", include("memories.urls")),
    path("", include("evolution.urls")),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="docs", permanent=False)),
    path("metrics", metrics),
    path("admin/", admin.site.urls),
    path("console/", include("console.urls")),
    path("api/v1/", include(_api)),
    path("mcp", mcp, name="mcp"),
    path(".well-known/oauth-protected-resource/mcp", protected_resource, name="mcp-protected-resource"),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.broken"
