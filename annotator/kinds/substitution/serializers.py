"""What the workspaces are given of a marked sentence."""

from __future__ import annotations

from rest_framework import serializers


class MarkedAnswer(serializers.Serializer):
    before = serializers.CharField(allow_blank=True, trim_whitespace=False)
    word = serializers.CharField()
    after = serializers.CharField(allow_blank=True, trim_whitespace=False)


class MarkedPart(serializers.Serializer):
    marked = MarkedAnswer(allow_null=True, help_text="The sentence, in three parts; null where it was replaced.")


class ProposalAnswer(serializers.Serializer):
    word = serializers.CharField()
    count = serializers.IntegerField(help_text="Number of people who wrote it; 0 for a word imported from a file.")


class ProposalsPart(MarkedPart):
    proposals = ProposalAnswer(many=True, help_text="The words to choose from, the most frequent first.")
    proposed = serializers.ListField(
        child=serializers.CharField(),
        help_text="Word that most people wrote, or two in a tie; empty if more than two tie.",
    )


class LemmaPart(MarkedPart):
    lemma = serializers.CharField(allow_blank=True, help_text="Lemma of the marked word; empty if unknown.")


class KnownWordsPart(MarkedPart):
    written = serializers.ListField(
        child=serializers.CharField(), help_text="Words that people wrote for it, once everyone has."
    )
    best = serializers.ListField(child=serializers.CharField(), help_text="Best of these words, once decided or voted.")


class SenseAnswer(serializers.Serializer):
    synset = serializers.CharField()
    part = serializers.CharField(help_text="Part of speech in WordNet: n, v, a, s, r, or another letter.")
    definition = serializers.CharField(allow_blank=True)
    words = serializers.ListField(child=serializers.CharField(), help_text="The other words of the synset.")


class SensesQuery(serializers.Serializer):
    word = serializers.CharField(max_length=100)


class SensesAnswer(serializers.Serializer):
    available = serializers.BooleanField(help_text="Whether a WordNet of the language is installed.")
    senses = SenseAnswer(many=True)
