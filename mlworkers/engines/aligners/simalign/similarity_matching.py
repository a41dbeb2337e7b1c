"""Which units of two sentences correspond, given how similar they are: SimAlign's methods, many pairs at a time.

The methods and their names are those of Jalili Sabet et al. ("SimAlign: High Quality Word Alignments Without
Parallel Training Data Using Static and Contextualized Embeddings", 2020): `fwd` links each source unit to the
target unit most like it, `rev` the reverse, `inter` keeps what both say, `itermax` adds a second round among the
units that are left, `mwmf` finds the links of the greatest sum with at most one a unit.

Pairs come as one tensor of B similarity matrices, M by N, with `rows` and `columns` saying how much of each is
filled. What is not filled must be below everything that is (`hide_padding`). Of equal similarities the first wins.
"""

import numpy as np
import torch
from torch import Tensor

METHODS = ("inter", "itermax", "mwmf", "fwd", "rev")

# How much a unit that has a link counts in itermax's second round.
_LINKED = 0.9
_PADDING = -1.0


def similarity(left: Tensor, right: Tensor) -> Tensor:
    """Cosine similarity mapped to 0 to 1: (B, M, H) and (B, N, H) of length 1 give (B, M, N)."""
    return torch.matmul(left, right.transpose(1, 2)).add_(1.0).div_(2.0)


def distort(similarities: Tensor, rows: Tensor, columns: Tensor, ratio: float) -> Tensor:
    """Make pairs that lie far from the diagonal less similar; sentences of one unit stay as they are."""
    height, width = similarities.shape[1:]
    down = torch.arange(height, device=rows.device) / (rows - 1).clamp(min=1)[:, None]
    across = torch.arange(width, device=rows.device) / (columns - 1).clamp(min=1)[:, None]
    far = (across[:, None, :] - down[:, :, None]) ** 2 * ratio
    far[(rows < 2) | (columns < 2)] = 0.0
    return similarities * (1.0 - far)


def hide_padding(similarities: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Put everything beyond `rows` and `columns` below all similarities, in place."""
    height, width = similarities.shape[1:]
    outside_rows, outside_columns = ~_inside(rows, height), ~_inside(columns, width)
    similarities.masked_fill_(outside_rows[:, :, None], _PADDING)
    return similarities.masked_fill_(outside_columns[:, None, :], _PADDING)


def match(similarities: Tensor, rows: Tensor, columns: Tensor, method: str) -> Tensor:
    """The links by one of METHODS, as rows of (pair, source unit, target unit), on the device of the input."""
    if method == "mwmf":
        return _assignment(similarities, rows, columns)
    height, width = similarities.shape[1:]
    real_rows, real_columns = _inside(rows, height), _inside(columns, width)
    forward, backward = similarities.argmax(2), similarities.argmax(1)
    if method == "fwd":
        return _forward_links(forward, real_rows)
    if method == "rev":
        return _forward_links(backward, real_columns)[:, [0, 2, 1]]
    linked_rows = _mutual(forward, backward) & real_rows
    links = _forward_links(forward, linked_rows)
    if method == "inter":
        return links
    linked_columns = torch.zeros_like(real_columns)
    linked_columns[links[:, 0], links[:, 2]] = True
    free_rows, free_columns = real_rows & ~linked_rows, real_columns & ~linked_columns
    again = (torch.minimum(rows, columns) > 2) & free_rows.any(1) & free_columns.any(1)
    chosen = again.nonzero()[:, 0]
    if not chosen.numel():
        return links
    free_rows, free_columns = free_rows[chosen], free_columns[chosen]
    # In double precision, as the package does it: 0.9 times one similarity may come close to another.
    second = similarities[chosen].double()
    second *= (free_rows.double()[:, :, None] * _LINKED + free_columns.double()[:, None, :] * _LINKED).clamp_(max=1.0)
    hide_padding(second, rows[chosen], columns[chosen])
    forward, backward = second.argmax(2), second.argmax(1)
    # At least one of the two must have been free.
    new = _mutual(forward, backward) & real_rows[chosen] & (free_rows | free_columns.gather(1, forward))
    added = _forward_links(forward, new)
    added[:, 0] = chosen[added[:, 0]]
    return torch.cat([links, added])


def _inside(sizes: Tensor, width: int) -> Tensor:
    return torch.arange(width, device=sizes.device) < sizes[:, None]


def _mutual(forward: Tensor, backward: Tensor) -> Tensor:
    """Per source unit, whether the target unit most like it finds it the most alike, too."""
    return backward.gather(1, forward) == torch.arange(forward.shape[1], device=forward.device)


def _forward_links(forward: Tensor, chosen: Tensor) -> Tensor:
    places = chosen.nonzero()
    return torch.cat([places, forward[chosen][:, None]], 1)


def _assignment(similarities: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """On the CPU, pair by pair: the assignment of the greatest sum, exactly."""
    from scipy.optimize import linear_sum_assignment

    found = []
    matrices = similarities.cpu().double().numpy()
    for number, (height, width) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        left, right = linear_sum_assignment(matrices[number, :height, :width], maximize=True)
        found.append(np.stack([np.full(left.size, number), left, right], 1))
    links = np.concatenate(found) if found else np.zeros((0, 3), np.int64)
    return torch.from_numpy(links.astype(np.int64)).to(similarities.device)
