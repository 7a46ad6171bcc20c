"""The REST framework: closed by default, JSON only, RFC 9457 problems. And whether MCP is served."""

from typing import Any

from config.settings.environment import flag

#: Whether the MCP server is served at `/mcp` (docs/mcp.md).
MCP = flag("CANDOR_MCP", default=True)

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "security.keys.authentication.KeyAuthentication",  # first: its challenge is that of a 401
        "security.people.authentication.PersonAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["security.keys.permissions.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["security.rest.parsing.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "security.rest.problems.answer_problem",
    "UNAUTHENTICATED_USER": None,
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Candor",
    "DESCRIPTION": "Agent memory that does not lie to itself.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    # How the service's own pages come in is nothing that a client could use.
    "AUTHENTICATION_WHITELIST": ["security.keys.authentication.KeyAuthentication"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "ClassName": ["public", "internal", "restricted", "confidential"],
        "CaptureState": "memories.models.capture.STATES",
        "DocumentState": ["processing", "settled"],
        "DryRunState": ["stored", "discarded", "quarantined"],
        "CardEnum": "memories.http.bodies.requests.CARDS",
        "Provenance": "memories.domain.kinds.PROVENANCE_WEIGHT",
        "Kind": "memories.domain.kinds.KIND_NAMES",
        "ChannelName": "recall.channels.registry.KNOWN_CHANNELS",
        "EntityType": "memories.models.entity.ENTITY_TYPES",
        "HandleKind": ["file", "git", "flag"],
        "EventKind": "evolution.events.kinds.KINDS",
        "WebhookState": ["active", "stopped"],
        "FeedbackOutcome": ["helpful", "unhelpful", "used"],
        "ContradictionState": ["open", "resolved"],
        "ContradictionVerdict": ["keep_old", "accept_new", "coexist"],
    },
}
