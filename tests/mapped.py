"""The people of a restored project, mapped to the accounts of their names, as a site admin maps them."""

from annotator.backup.actions.people import map_person
from annotator.backup.queries.placeholders import placeholders_of
from annotator.models import Project, User


def with_people(project: Project) -> Project:
    """The project, after everybody in its backup was mapped."""
    for placeholder in placeholders_of(project):
        account = User.objects.get(username=placeholder.backup_name)
        map_person(project=project, placeholder=placeholder, account=account, by=None)
    return project
