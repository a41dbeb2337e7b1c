"""Writing pairs of figurative sentences that begin alike and mean the opposite: from nothing, or from prompts."""

from annotator.domain.figurative_pairs import UNIT_KIND
from annotator.kind import register, register_parts
from annotator.kinds.write_pair.kind import WriteFromPrompts, WritePair
from annotator.kinds.write_pair.texts import PARTS

register(WritePair())
register(WriteFromPrompts())
register_parts(UNIT_KIND, PARTS)
