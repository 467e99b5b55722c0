"""What the service counts about itself, for Prometheus; each service has a registry of its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_WORDS = (8, 32, 128, 512, 1024, 2048, 4096)
_REQUESTS = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The metrics of one service."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.requests = Counter("arctag_requests_total", "Requests answered.", ["path", "status"], registry=own)
        self.seconds = Histogram(
            "arctag_request_seconds", "Time from the first byte to the last.", buckets=_SECONDS, registry=own
        )
        self.dropped = Counter(
            "arctag_connections_dropped_total", "Connections closed because of slow clients.", ["why"], registry=own
        )
        self.words = Counter("arctag_words_parsed_total", "Words parsed.", ["model"], registry=own)
        self.batch_words = Histogram("arctag_batch_words", "Words in a batch.", buckets=_WORDS, registry=own)
        self.batch_requests = Histogram(
            "arctag_batch_requests", "Requests in a batch.", buckets=_REQUESTS, registry=own
        )
        self.inside = Gauge("arctag_requests_inside", "Requests that wait or are being processed.", registry=own)
        self.queued = Gauge("arctag_queue_length", "Jobs that wait for a model.", ["model"], registry=own)
        ProcessCollector(registry=own)  # memory, processor time, open files; nothing where there is no /proc

    def text(self) -> str:
        """Everything, in the text format that Prometheus reads."""
        return generate_latest(self.registry).decode()
