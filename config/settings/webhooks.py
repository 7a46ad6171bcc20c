"""Webhooks: where the service may send to besides what is public (docs/events.md)."""

from ipaddress import ip_network

from config.settings.environment import listing

#: Networks of one's own that webhooks may lead to, in CIDR form; none: public addresses over HTTPS alone.
WEBHOOK_NETWORKS = [str(ip_network(one)) for one in listing("CANDOR_WEBHOOK_NETWORKS")]
