"""What is sent where: signed, to public addresses alone, and nothing is followed."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from annotator.webhooks.sending import PUBLIC, SIGNATURE, Reach, UnreachableError, check_url, post
from tests.webhooks.program import LOCAL, Program, listening

SECRET = "a" * 64
DOCS = Path(__file__).parents[2] / "docs" / "reference" / "api.md"


@pytest.fixture
def program() -> Iterator[Program]:
    with listening() as found:
        yield found


def send(url: str, *, reach: Reach = LOCAL, seconds: float = 10) -> int:
    return post(url, b'{"id": 1}', secret=SECRET, timestamp=1_800_000_000, reach=reach, seconds=seconds)


def test_a_program_can_verify_what_it_gets_as_the_docs_show(program: Program) -> None:
    """The snippet of docs/reference/api.md."""
    [snippet] = re.findall(r"```python\n(import hashlib.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    told: dict[str, object] = {}
    exec(snippet, told)  # noqa: S102 -- our own documentation
    verify = told["is_genuine"]
    assert callable(verify)

    assert send(program.url) == 204

    [(path, headers, body)] = program.received
    assert (path, headers["Content-Type"]) == ("/hook?of=us", "application/json")
    given = headers[SIGNATURE]
    assert verify(SECRET, given, body, now=1_800_000_100)
    assert not verify(SECRET, given, body + b" ", now=1_800_000_100)
    assert not verify("b" * 64, given, body, now=1_800_000_100)
    assert not verify(SECRET, given, body, now=1_800_001_000)
    assert not verify(SECRET, given.replace("t=18", "t=19"), body, now=1_900_000_000)


@pytest.mark.parametrize(
    "url",
    [
        "http://program.example/", "ftp://program.example/", "https://", "https:///path", "program.example",
        "https://ana:x@program.example/", "https://program.example:99999/", "https://program.example:0/",
        "https://program.example/a b", "https://program.example/\r\nHost: other", "https://прог.example/",
    ],
)  # fmt: skip
def test_addresses_that_cannot_be_sent_to_are_refused(url: str) -> None:
    with pytest.raises(UnreachableError):
        check_url(url, PUBLIC)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",  # noqa: S104
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "2002:7f00:1::", "64:ff9b::a9fe:a9fe", "2001:0:4136:e378:8000:63bf:80ff:fffe",
    ],
)  # fmt: skip
def test_private_addresses_are_never_reached(address: str) -> None:
    assert not PUBLIC.allows(ip_address(address), is_secure=True)


def test_public_addresses_are_reached_when_they_are_encrypted() -> None:
    for address in ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"):
        assert PUBLIC.allows(ip_address(address), is_secure=True)
        assert not PUBLIC.allows(ip_address(address), is_secure=False)
        assert not LOCAL.allows(ip_address(address), is_secure=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"])
def test_a_name_that_leads_into_a_private_network_gets_nothing(program: Program, host: str) -> None:
    """After it is resolved, whatever it is called."""
    with pytest.raises(UnreachableError, match="private network"):
        send(f"https://{host}:{program.server_port}/", reach=PUBLIC)
    assert not program.received


def test_redirects_are_not_followed(program: Program) -> None:
    with listening() as other:
        program.status, program.location = 307, other.url
        with pytest.raises(UnreachableError, match="redirect") as refused:
            send(program.url)
        assert refused.value.status == 307
        assert (len(program.received), other.received) == (1, [])


@pytest.mark.parametrize("status", [400, 404, 410, 500])
def test_an_answer_that_is_no_success_is_told(program: Program, status: int) -> None:
    program.status, program.body = status, b"<h1>inside information</h1>" * 100_000
    with pytest.raises(UnreachableError) as refused:
        send(program.url)
    assert (refused.value.status, str(refused.value)) == (status, f"The address answered with {status}.")


def test_nobody_who_listens_and_nobody_who_has_such_a_name() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", "https://nothing.invalid/"):
        with pytest.raises(UnreachableError, match="cannot be reached"):
            send(url)


def test_what_speaks_no_http_or_no_tls_is_unreachable(program: Program) -> None:
    with pytest.raises(UnreachableError, match="certificate"):
        send(f"https://127.0.0.1:{program.server_port}/")
    assert not program.received


def test_who_answers_byte_by_byte_is_left() -> None:
    """Each wait is short, all of them are not. The thread that waits ends with the connection."""
    before = set(threading.enumerate())
    gone = threading.Event()

    def drip(listener: socket.socket) -> None:
        taken, _place = listener.accept()
        with taken, suppress(OSError):
            taken.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while not gone.wait(0.02):
                taken.sendall(b"a")
        gone.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        dripping = threading.Thread(target=drip, args=[listener])
        dripping.start()
        with pytest.raises(UnreachableError, match="in time"):
            send(f"http://127.0.0.1:{listener.getsockname()[1]}/", seconds=0.3)
        for thread in set(threading.enumerate()) - before - {dripping}:
            thread.join(10)
            assert not thread.is_alive()
        gone.set()
        dripping.join()


@pytest.mark.parametrize(("name", "says"), [("localhost", ""), ("other.example", "no valid certificate")])
def test_a_program_with_a_certificate_is_told_only_under_its_name(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    """Over TLS, with an authority of our own that the machine trusts."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}"]
    names = ["-addext", f"subjectAltName=DNS:{name}", "-out", str(certificate), "-keyout", str(key)]
    subprocess.run([*command, *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    program.socket = context.wrap_socket(program.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    url = f"https://localhost:{program.server_port}/hook"
    if says:
        with pytest.raises(UnreachableError, match=says):
            send(url)
    else:
        assert send(url) == 204

    assert len(program.received) == (0 if says else 1)
