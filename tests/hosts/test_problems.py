"""Every number of the problems within its tolerance, but for those that say why they are not."""

import pytest

import harness
import problems


@pytest.mark.parametrize("section", problems.SECTIONS, ids=lambda section: section.__name__)
def test_numbers_hold(section):
    harness.FOLDER.mkdir(parents=True, exist_ok=True)
    rows = list(section())
    assert len(rows) > 1
    wrong = [row for row in rows if not row.expected]
    assert not wrong, problems.markdown(wrong)
