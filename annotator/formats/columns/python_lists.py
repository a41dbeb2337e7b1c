"""Lists as Python and numpy show them: `['El', 'temps']`, `['El' 'temps']`, `[0 0 1]`.

pandas and `datasets` write them into the cells of a CSV file.
"""

from __future__ import annotations

import ast
import re

_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = re.compile(rf"\[\s*(?:(?:{_TEXT})(?:\s*,\s*|\s+|(?=\])))+\]", re.DOTALL)
_ITEM = re.compile(_TEXT, re.DOTALL)
# What numpy leaves of a list of more than a thousand.
_CUT = re.compile(rf"\[\s*(?:{_TEXT})(?:[\s,]+(?:{_TEXT}))*[\s,]+\.\.\.[\s,].*\]", re.DOTALL)


def python_list(cell: str) -> tuple[str, ...] | None:
    """The texts of a list in one of the two spellings; None for anything else."""
    if not cell.startswith(("['", '["')) or _LIST.fullmatch(cell.strip()) is None:
        return None
    try:
        return tuple(str(ast.literal_eval(item)) for item in _ITEM.findall(cell))
    except (ValueError, SyntaxError):
        return None


def is_cut_short(cell: str) -> bool:
    """Whether a cell is a list of which only the ends were written: `['El' 'temps' ... 'alt' '.']`."""
    return cell.startswith(("['", '["')) and "..." in cell and _CUT.fullmatch(cell.strip()) is not None
