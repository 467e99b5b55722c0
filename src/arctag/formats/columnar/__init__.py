"""Tables of sentences, Parquet and Arrow IPC: one row a sentence, words and arcs as lists.

pyarrow is imported when such a file is read or written, not before: of these modules `formats`, `layout` and `magic` do
without it.
"""
