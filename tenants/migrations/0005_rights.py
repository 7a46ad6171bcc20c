from django.db import migrations

PERMISSIONS = (
    ("view", "See what is remembered"),
    ("correct", "Correct, confirm, archive and bring back"),
    ("arbitrate", "Say which of two values holds"),
    ("release", "Release from quarantine"),
    ("classify", "Change the class"),
    ("export", "Take out of the service"),
    ("forget", "Forget for good"),
)


class Migration(migrations.Migration):
    dependencies = [("tenants", "0004_switched_off")]

    operations = [
        migrations.AlterModelOptions(
            name="project", options={"base_manager_name": "objects", "permissions": PERMISSIONS}
        ),
        migrations.AlterModelOptions(
            name="tenant", options={"base_manager_name": "objects", "permissions": PERMISSIONS}
        ),
    ]
