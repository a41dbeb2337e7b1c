"""Published token-classification checkpoints that are known by name, each with its language.

Pages offer them and workers load them.
"""

PUBLISHED: dict[str, str] = {
    "HiTZ/mdeberta-base-metaphor-detection-es": "es",
    "HiTZ/xlm-roberta-large-metaphor-detection-es": "es",
    "HiTZ/deberta-large-metaphor-detection-en": "en",
}
