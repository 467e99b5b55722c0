"""The load generator is tested on the servers of the service's tests, and left out where these are."""

from tests.serve.conftest import collect_ignore_glob, paused, server, tiny, tiny_sdp  # noqa: F401
