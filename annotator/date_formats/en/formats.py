"""English dates that nobody takes for another day, all in one style: 12/06/2026 is one day in Boston and another one in
Bilbao."""

from __future__ import annotations

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
