"""What the service counts, as Prometheus reads it."""

from __future__ import annotations

import re

from prometheus_client import REGISTRY

from arctag.serve.metrics import Metrics
from tests.serve.servers import Running


def test_metrics_are_what_prometheus_reads(server: Running) -> None:
    server.get("/nothing/at/all")
    answer = server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+')
    for line in answer.text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line
    assert 'arctag_requests_total{path="other",status="404"}' in answer.text
    assert "/nothing" not in answer.text
    assert "arctag_request_seconds_bucket" in answer.text
    assert 'arctag_queue_length{model="tiny-ud"} 0.0\n' in answer.text


def test_metrics_memory_is_that_of_this_process(server: Running) -> None:
    found = re.search(r"^process_resident_memory_bytes (\S+)$", server.get("/metrics").text, re.MULTILINE)
    assert found
    assert 50e6 < float(found[1]) < 50e9


def test_metrics_histogram_counts_what_is_below_each_bound() -> None:
    metrics = Metrics()
    for value in (1, 2, 3, 100):
        metrics.batch_requests.observe(value)
    lines = [line for line in metrics.text().splitlines() if line.startswith("arctag_batch_requests_")]
    below = {"1.0": 1, "2.0": 2, "4.0": 3, "8.0": 3, "16.0": 3, "32.0": 3, "64.0": 3, "+Inf": 4}
    assert lines[:8] == [f'arctag_batch_requests_bucket{{le="{bound}"}} {count}.0' for bound, count in below.items()]
    assert {"arctag_batch_requests_sum 106.0", "arctag_batch_requests_count 4.0"} <= set(lines)


def test_metrics_labels_are_escaped() -> None:
    metrics = Metrics()
    metrics.words.labels('a"b\\c\nd').inc(2)
    assert r'arctag_words_parsed_total{model="a\"b\\c\nd"} 2.0' in metrics.text().splitlines()


def test_metrics_of_two_services_are_apart_and_none_are_global() -> None:
    first, second = Metrics(), Metrics()
    first.dropped.labels("late").inc()
    assert 'why="late"' not in second.text()
    assert not any(metric.name.startswith("arctag_") for metric in REGISTRY.collect())
