"""Marks the places of bugs in a program whose tests `harness` grades.

Copy this file beside your program and write each bug where it takes effect:

    from subject import bug

    order = "WE" if bug("goes-west-before-east") else "EW"

`bug(id)` is false, unless the environment variable SUBJECT_MUTANT contains the id. So the program is
correct when a person runs it, and `SUBJECT_MUTANT=goes-west-before-east python3 program.py` runs one
mutant. Write the id as a literal, because `harness` compares the ids in the source with the
catalogue. `harness` replaces this file by a faster one of its own while it runs many cases.
"""

import os

_SELECTED = os.environ.get("SUBJECT_MUTANT")


def bug(id):
    """Whether the mutant with this id is selected."""
    return id == _SELECTED
