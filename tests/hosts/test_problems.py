"""Every number of the problems within its tolerance, but for those that say why they are not."""

import pytest

import harness
import problems
import results_page
import solids
import surfaces

# Seconds of a core that sections of the full tier take.
SLOW = {solids.solid_quick_return: 30, solids.rods: 24, surfaces.jamming: 40}


def sections():
    for section in problems.SECTIONS:
        seconds = SLOW.get(section)
        marks = [harness.full_tier(f"{seconds} s: one mechanism of solids or surfaces many times")] if seconds else []
        yield pytest.param(section, id=section.__name__, marks=marks)


@pytest.mark.parametrize("section", sections())
def test_numbers_hold(section):
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    rows = list(section())
    assert len(rows) > 1
    wrong = [row for row in rows if not row.expected]
    assert not wrong, results_page.markdown(wrong)
