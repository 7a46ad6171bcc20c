"""The web application."""

import gc
import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Who waits for the interpreter has it after half a millisecond, not five: beside others' long texts a recall
# gives it up for the database some ten times, and each time waits for it again.
sys.setswitchinterval(0.0005)

application = get_wsgi_application()

from config.boot import refuse_unsafe  # noqa: E402 - what it looks at is there only now

refuse_unsafe()

YOUNG_OBJECTS = 20_000
"""
Objects made before the collector looks for rings among them. A recall makes some thousands and hardly a ring;
the default of 700 has it look ten times in each.
"""

# What the application is made of is there to stay, so it is not walked again.
gc.collect()
gc.freeze()
gc.set_threshold(YOUNG_OBJECTS, 20, 20)
