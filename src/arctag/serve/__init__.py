"""`arctag serve`: parsing, scoring and the encodings over HTTP, on this machine unless told otherwise.

A request passes `guard` (who may ask, how much, for how long), then FastAPI's routes (`*_api`). Sentences to be parsed
wait in the queue of a model's thread (`batching`), which takes those of several requests together; what else takes
time is done in a small pool (`service`). Nothing a request holds is ever taken for the name of a file.
"""
