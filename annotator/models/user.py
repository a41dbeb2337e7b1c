from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person who signs in. Site admins are `is_superuser`; what one may do in a project is `Membership`."""

    class Meta(AbstractUser.Meta):
        pass

    def __str__(self) -> str:
        return self.get_full_name() or self.username
