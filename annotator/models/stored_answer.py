from __future__ import annotations

from django.conf import settings
from django.db import models


class StoredAnswer(models.Model):
    """The answer to a call with an `Idempotency-Key`, for repeats of the call. Without `status` it is not there yet."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="+")
    key = models.CharField(max_length=200)
    # Of the method, the address and the body.
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="stored_answer_once")]

    def __str__(self) -> str:
        return self.key
