"""Special functions that NumPy lacks."""

import numpy as np
import numpy.typing as npt


def digamma(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The derivative of log gamma for positive numbers, to about 1e-9 relative.

    Recurrence up to 6, then the asymptotic series (Abramowitz & Stegun 1964, 6.3.5 and 6.3.18).
    """
    x = np.array(values, float)
    result = np.zeros_like(x)
    for _ in range(6):
        small = x < 6
        result[small] -= 1 / x[small]
        x[small] += 1
    inverse = 1 / (x * x)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    total: npt.NDArray[np.float64] = result + np.log(x) - 0.5 / x - series
    return total
