"""`arctag serve`: parsing, scoring and the encodings over HTTP, and a page that shows them.

A request passes `guard` (who may ask, how much, for how long) and reaches its route (`routes`). Sentences to be parsed
wait in the queue of a model (`models`), whose threads parse those of several requests together; other work is done in
a small thread pool (`service`). Nothing in a request is ever used as the name of a file.
"""
