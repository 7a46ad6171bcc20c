"""Traces by OpenTelemetry, set up by the variables that it defines itself (docs/operations.md)."""

from config.settings.environment import flag, hand_on, text

_NAMED = text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or text("OTEL_EXPORTER_OTLP_ENDPOINT")

#: Whether spans are made and sent: where a collector is named and nothing switches them off.
TRACES = bool(_NAMED) and not flag("OTEL_SDK_DISABLED") and text("OTEL_TRACES_EXPORTER", "otlp") == "otlp"

PATIENCE_SECONDS = 2
"""How long a batch of spans is tried; OpenTelemetry's own 10 s would hold up whoever restarts a program."""

# What it reads itself, where the operator said nothing.
if TRACES and not (text("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") or text("OTEL_EXPORTER_OTLP_TIMEOUT")):
    hand_on("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", str(PATIENCE_SECONDS))
if TRACES and "service.name=" not in text("OTEL_RESOURCE_ATTRIBUTES"):
    hand_on("OTEL_SERVICE_NAME", text("OTEL_SERVICE_NAME", "candor"))
