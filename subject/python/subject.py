"""Marks the places of bugs in a program: `if bug("forgets-the-last-line"): ...`"""

import os

_selected = os.environ.get("SUBJECT_MUTANT")


def bug(id):
    """Whether the mutant with this id is selected. In an ordinary run, none is."""
    return id == _selected
