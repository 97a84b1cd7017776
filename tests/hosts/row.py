"""A number of ours beside one from elsewhere."""

from dataclasses import dataclass


@dataclass
class Row:
    section: str
    quantity: str
    ours: float
    theirs: float
    tolerance: float
    source: str
    unit: str = ""

    @property
    def holds(self):
        return abs(self.ours - self.theirs) <= self.tolerance
