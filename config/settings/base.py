"""Django's own: apps, middleware, templates, keys, static files."""

from config.settings.environment import BASE_DIR, flag, listing, text

DEBUG = flag("CANDOR_DEBUG", default=False)
SECRET_KEY = text("CANDOR_SECRET_KEY", "development-only-key-that-check-deploy-refuses")
ALLOWED_HOSTS = listing("CANDOR_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "console",
    "evolution",
    "recall",
    "memories",
    "security",
    "tenants",
    "unfold.apps.BasicAppConfig",  # the default one would put its own site in the place of ours
    "config.apps.CandorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "guardian",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.request_id.RequestIdMiddleware",
    "config.tracing.TracingMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
#: Rights by object (`tenants.rights`). Nobody stands for those who are not logged in, and Django's own
#: classes are left as they are.
AUTHENTICATION_BACKENDS = [
    "security.people.logins.LimitedLogins",  # first: it refuses who tried too often
    "django.contrib.auth.backends.ModelBackend",
    "guardian.backends.ObjectPermissionBackend",
]
ANONYMOUS_USER_NAME = None
GUARDIAN_MONKEY_PATCH_USER = False
GUARDIAN_MONKEY_PATCH_GROUP = False
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["console.templatetags.console"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
#: The console speaks these; everything else is in English, for nothing chooses a language there.
USE_I18N = True
LANGUAGES = [("en", "English"), ("zh-hans", "中文")]
STATIC_URL = "static/"
#: Static files come straight from the packages; a folder only where one runs `collectstatic`.
STATIC_ROOT = text("CANDOR_STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SECURE_CONTENT_TYPE_NOSNIFF = True
#: The admin's face.
UNFOLD = {"SITE_TITLE": "Candor", "SITE_HEADER": "Candor", "SITE_SYMBOL": "neurology"}
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
