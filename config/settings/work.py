"""Celery: messages are hints, the capture's row is the job."""

from typing import Any

from kombu import Queue

from config.settings.audit import CHECKPOINT_SECONDS
from config.settings.environment import flag, number, text

BROKER_URL = text("BROKER_URL", "redis://localhost:6379/0")
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
#: A task whose broker went away is stopped: its message comes again, its row's lease keeps it to one effect.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_PUBLISH_RETRY = False
#: Celery would close the connection pool at both ends of each task (celery#10554), and every task would begin
#: with a new backend, with cold caches and no plan. It never comes to it: `config.celery` hands back instead.
CELERY_DB_REUSE_MAX = 2**62
CELERY_TIMEZONE = "UTC"
#: Queues of hints: each tenant's go into one of them, and workers take from all of them in turn.
HINT_LANES = [f"captures.{number}" for number in range(64)]
#: The same for what is long: documents and captures of more than a thousand bytes.
LONG_LANES = [f"long.{number}" for number in range(64)]
#: Queue of what takes a worker long and may wait: nights, moves of vectors, shadow runs.
SLOW_QUEUE = "slow"
#: Queues of the worker for what is short and of the one for what is long; one that is given none takes all.
SHORT_QUEUES = ["celery", *HINT_LANES]
LONG_QUEUES = [SLOW_QUEUE, *LONG_LANES]
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in (*SHORT_QUEUES, *LONG_QUEUES)]
CELERY_TASK_ROUTES = {
    name: {"queue": SLOW_QUEUE}
    for name in (
        "memories.tasks.fill_homes",
        "evolution.tasks.*",
        "recall.tasks.shadow_slice",
        "recall.tasks.resume_shadow",
    )
}
#: By how much a worker's processes stand back behind the web's and others' (nice value).
WORKER_NICE = number("CANDOR_WORKER_NICE", 0, least=0, most=19)
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "visibility_timeout": number("CANDOR_VISIBILITY_TIMEOUT_SECONDS", 3600, least=10, most=86_400),
    "socket_connect_timeout": 2,
    "priority_steps": [0],  # hints have no priorities; each step would be one more queue to listen to
    "queue_order_strategy": "round_robin",  # what is fair about the lanes
    # A hint may be lost, so a broker that is out is asked once more and then left alone (seconds).
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
    "connect_retries_timeout": 1,
    "socket_timeout": 5,
}

#: Captures of one tenant that may wait to be worked on; beyond it no further one is taken (429).
TENANT_BACKLOG = number("CANDOR_TENANT_BACKLOG", 20_000, least=1, most=10_000_000)
#: Attempts at a capture before it is `dead` and waits for a person.
CAPTURE_MAX_ATTEMPTS = number("CANDOR_CAPTURE_MAX_ATTEMPTS", 5, least=1, most=100)
#: Seconds a worker holds a capture before another may claim it.
CAPTURE_LEASE_SECONDS = number("CANDOR_CAPTURE_LEASE_SECONDS", 120, least=1, most=3600)
#: Seconds of CPU one attempt at a capture may take before it is stopped as failed (docs/security.md).
CAPTURE_CPU_SECONDS = number("CANDOR_CAPTURE_CPU_SECONDS", 30, least=1, most=3600)
#: Seconds between two sweeps for captures that nobody hinted.
SWEEP_SECONDS = number("CANDOR_SWEEP_SECONDS", 5, least=1, most=3600)
#: Seconds between two looks for vectors that are being moved, and for tenants that have grown big.
FILL_HOMES_SECONDS = number("CANDOR_FILL_HOMES_SECONDS", 300, least=1, most=86_400)
#: Seconds between two nights of a tenant: the cheap steps each time, the dream when its gate opens.
SLEEP_SECONDS = number("CANDOR_SLEEP_SECONDS", 3600, least=60, most=86_400)
#: Seconds a cheap step works on one tenant before others have the worker; the next night goes on there.
SLEEP_STEP_SECONDS = number("CANDOR_SLEEP_STEP_SECONDS", 30, least=1, most=900)
#: Code path that answers recalls, of `recall.retrieval.ENGINES`.
RECALL_ENGINE = text("CANDOR_RECALL_ENGINE", "together")

#: Whether recalls are held to the floor of relevance that was fitted for their space (docs/decisions/0078).
RELEVANCE_FLOOR = flag("CANDOR_RELEVANCE_FLOOR", default=True)
#: Seconds between two looks for shadow runs that nobody works on.
SHADOW_SECONDS = number("CANDOR_SHADOW_SECONDS", 60, least=1, most=86_400)
#: Seconds a worker stays with one shadow run before other work has it.
SHADOW_SLICE_SECONDS = number("CANDOR_SHADOW_SLICE_SECONDS", 60, least=1, most=900)

CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sweep-captures": {"task": "memories.tasks.sweep", "schedule": float(SWEEP_SECONDS)},
    "fill-homes": {"task": "memories.tasks.fill_homes", "schedule": float(FILL_HOMES_SECONDS)},
    "audit-checkpoints": {"task": "security.tasks.write_checkpoints", "schedule": float(CHECKPOINT_SECONDS)},
    "sleep": {"task": "evolution.tasks.sleep_all", "schedule": float(SLEEP_SECONDS)},
    "shadow": {"task": "recall.tasks.resume_shadow", "schedule": float(SHADOW_SECONDS)},
}
