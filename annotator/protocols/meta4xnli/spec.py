"""What Meta4XNLI brings: its workflow, its preset, and starting points of its steps."""

from annotator.core.installed import PackageSpec
from annotator.protocols.meta4xnli.start import META4XNLI_ES_EN, STARTS
from annotator.protocols.meta4xnli.workflow import WORKFLOW

SPEC = PackageSpec(workflows=(WORKFLOW,), presets=(META4XNLI_ES_EN,), starts=STARTS)
