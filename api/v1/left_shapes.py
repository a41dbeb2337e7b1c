"""What the calls for texts that wait for somebody who left take and answer."""

from __future__ import annotations

from rest_framework import serializers

from annotator.work.queue.actions.orphaned_answers import MAX_REASON
from api.v1.shapes import Plain, Strings, array


class Texts(Plain):
    schema = array(array({"type": "string"}))


class HandOverRequest(serializers.Serializer):
    to = serializers.CharField(
        max_length=150, help_text="The username of the person who should revise it, one of `writers`."
    )


class GiveUpRequest(serializers.Serializer):
    reason = serializers.CharField(
        max_length=MAX_REASON, help_text="The reason why nobody will revise it; releases list it."
    )


class LeftRemark(serializers.Serializer):
    key = serializers.CharField(help_text="Which of the texts it is about; empty where there is one.")
    reason = serializers.CharField(help_text="In words; empty where a correction was suggested.")
    texts = Strings(help_text="The suggested correction.")
    comment = serializers.CharField()


class LeftTextRow(serializers.Serializer):
    answer = serializers.IntegerField(help_text="Names it in the other calls.")
    writer = serializers.CharField(source="writer.username")
    texts = Texts(help_text="The lines of each text that was sent back.")
    remarks = LeftRemark(many=True)


class LeftTextsAnswer(serializers.Serializer):
    results = LeftTextRow(many=True)
    writers = Strings(help_text="The usernames of the people to whom a text of the stage can be handed over.")
