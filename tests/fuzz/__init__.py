"""Whatever the bytes of a file: what it holds comes back, or an `ArctagError` that names it.

`make test` tries a few damaged files of each kind, `make test-full` many. A new reader is a line in `READERS`.
"""
