"""The examples of the API's document: a story that is played on a running server and written down.

`python -m tests.recording` (`make examples`) writes them anew.
"""
