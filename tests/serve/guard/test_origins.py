"""Who may ask: requests for this machine, and none that another web site makes a browser send."""

from __future__ import annotations

import pytest

from arctag.serve.guard.origins import Hosts, is_cross_site, is_loopback
from tests.serve.servers import Running, error, running

OTHER_SITE = "this request comes from a page of another web site, which may not use this service"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "localhost:9", "[::1]:80", "LocalHost:65535", "127.0.0.1:8000"],
)
def test_origins_answers_for_this_machine(server: Running, host: str) -> None:
    assert server.get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "[::2]", "[", "127.0.0.1.nip.example", "", "[::1].evil.com", "[::1]x",
     "[::1]:80.evil.com", "[::1]:", "localhost:", "localhost:80x", "localhost:1234567", "localhost.", "localhost:80:80",
     "localhost@evil.com", "evil.com@localhost", "user:localhost", "[::1%25lo]", "[::1%lo]", "::1", "[127.0.0.1]",
     "localhost,evil.com", "127.0.0.1/evil.com", "evil.com#localhost", "[localhost]", "127.1", "2130706433",
     "0.0.0.0", "xlocalhost", "127x0.0.1", "localhost:٣"],
)  # fmt: skip
def test_origins_refuses_other_hosts(host: str) -> None:
    assert {"headers": [(b"host", host.encode())]} not in Hosts("127.0.0.1")


def test_origins_says_which_hosts_there_are(server: Running) -> None:
    line = error(server.get("/api/health", headers={"Host": "[::1].evil.com", "X-Forwarded-Host": "localhost"}))
    assert line == "this service answers requests for 127.0.0.1, [::1], localhost only; see --host"


@pytest.mark.parametrize("hosts", [[], ["localhost", "evil.example"], ["evil.example", "localhost"]])
def test_origins_wants_one_host(server: Running, hosts: list[str]) -> None:
    assert {"headers": [(b"host", host.encode()) for host in hosts]} not in Hosts("127.0.0.1")
    lines = ["GET /api/health HTTP/1.0", *(f"Host: {host}" for host in hosts)]
    assert server.raw("\r\n".join([*lines, "", ""]).encode()).startswith(b"HTTP/1.1 400 ")


def test_origins_the_given_address_is_one_of_them() -> None:
    assert {"headers": [(b"host", b"127.3.4.5:80")]} in Hosts("127.3.4.5")
    assert {"headers": [(b"host", b"127.3.4.5:80")]} not in Hosts("127.0.0.1")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.0.0.1", True), ("127.3.4.5", True), ("::1", True), ("0.0.0.0", False), ("::", False),
     ("192.168.0.7", False), ("parser.example", False)],
)  # fmt: skip
def test_origins_knows_loopback_addresses(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"},  # another port of this machine
        {"Sec-Fetch-Site": "Cross-Site"},
        {"Sec-Fetch-Site": "nonsense"},
        {"Origin": "https://evil.example"},  # an old browser
        {"Origin": "http://localhost:3000"},
        {"Origin": "null"},
        {"Origin": "http://[oh"},
        {"Origin": ""},
    ],
)
def test_origins_other_sites_make_no_work(server: Running, headers: dict[str, str]) -> None:
    form = server.post("/process", content=b"data=a&input=horizontal", headers={**FORM, **headers})
    assert (form.status_code, form.text) == (403, f"{OTHER_SITE}\n")
    assert server.get("/process?data=a&input=horizontal", headers=headers).status_code == 403
    assert error(server.get("/api/models", headers=headers), 403) == OTHER_SITE
    parse = server.post("/api/parse", headers={"Content-Type": "application/json", **headers}, content=b"{}")
    assert error(parse, 403) == OTHER_SITE


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_origins_our_page_and_the_user_may_ask(server: Running, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Origin": server.url}
    form = server.post("/process", content=b"data=a&input=horizontal", headers={**FORM, **headers})
    assert form.status_code == 200
    assert server.get("/process?data=a&input=horizontal", headers=headers).status_code == 200


def test_origins_old_browsers_on_our_page_may_ask(server: Running) -> None:
    headers = {**FORM, "Origin": server.url.upper().replace("HTTP", "http")}
    assert server.post("/process", content=b"data=a&input=horizontal", headers=headers).status_code == 200


def test_origins_programs_may_ask(server: Running) -> None:
    assert server.post("/process", content=b"data=a&input=horizontal", headers=FORM).status_code == 200


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_origins_other_sites_may_link_to_a_page(server: Running, path: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert server.get(path, headers=headers).status_code == 200
    assert server.post(path, content=b"", headers=headers).status_code == 403


def test_origins_behind_a_web_server_the_page_may_ask() -> None:
    """A web server with TLS passes requests on for 127.0.0.1; the browser's word counts, not the name in `Origin`."""
    headers = [
        (b"host", b"127.0.0.1:8000"),
        (b"origin", b"https://public.example"),
        (b"sec-fetch-site", b"same-origin"),
    ]
    assert not is_cross_site({"method": "POST", "path": "/process", "headers": headers})


def test_origins_on_the_network_other_sites_are_refused_too(server: Running) -> None:
    with running({"m": server.service.models["tiny-ud"].parser}, host="0.0.0.0") as open_server:
        headers = {"Host": "parser.example", "Origin": "http://evil.example"}
        assert open_server.get("/process?data=a", headers=headers).status_code == 403
