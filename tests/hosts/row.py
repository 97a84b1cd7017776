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
    #: Why it is known to be beyond its tolerance; empty where it is not.
    misses: str = ""

    @property
    def holds(self):
        return abs(self.ours - self.theirs) <= self.tolerance

    @property
    def expected(self):
        """Whether it holds, or misses where that is said."""
        return self.holds != bool(self.misses)
