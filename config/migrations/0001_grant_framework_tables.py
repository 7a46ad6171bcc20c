"""Let the service use Django's own tables, each as far as it needs. Nothing is granted by default."""

from django.db import migrations

GRANTS = {
    "auth_user": "SELECT, UPDATE (last_login, password)",
    "auth_group": "SELECT",
    "auth_permission": "SELECT",
    "auth_user_groups": "SELECT",
    "auth_group_permissions": "SELECT",
    "auth_user_user_permissions": "SELECT",
    "django_content_type": "SELECT",
    "django_session": "SELECT, INSERT, UPDATE, DELETE",
}


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("evolution", "0001_initial"),
        ("memories", "0002_claim_due"),
        ("security", "0002_authenticate"),
    ]

    operations = [
        migrations.RunSQL(
            [f"GRANT {verbs} ON {table} TO candor_app" for table, verbs in GRANTS.items()],
            [f"REVOKE ALL ON {table} FROM candor_app" for table in GRANTS],
        )
    ]
