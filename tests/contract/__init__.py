"""What the API has promised in its last release, and whether it still keeps it.

`python -m tests.contract` (`make lint-api`) compares; `python -m tests.contract release` (`make release`) sets down
what is promised from now on, and refuses to while a promise is broken.
"""
