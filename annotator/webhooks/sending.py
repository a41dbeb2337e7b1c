"""One signed POST to an address of somebody else, which must be a public one."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from annotator.core.errors import ActionError
from annotator.core.processes.threads import within
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _

SIGNATURE = "X-Translatio-Signature"
_AGENT = "Translatio-Webhook/1"
# For each wait, and for all of a delivery: an address that answers byte by byte ends, too.
_SECONDS = 5
SECONDS_IN_ALL = 15
# Of an answer; what it says is not kept.
_MAX_READ = 4096
_NAT64 = ip_network("64:ff9b::/96")

Address = IPv4Address | IPv6Address


class UnreachableError(ActionError):
    """An address is not allowed, cannot be reached, or does not accept. `status`: of its answer, where it gave one."""

    def __init__(self, why: Sentence, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class Reach:
    """Which addresses are sent to. `local`: those of this machine as well, and there without encryption."""

    local: bool = False

    def allows(self, address: Address, *, is_secure: bool) -> bool:
        """Whether a connection to an address can be made."""
        if self.local and address.is_loopback:
            return True
        return is_secure and all(one.is_global and not one.is_multicast for one in _with_embedded(address))


PUBLIC = Reach()


class _Line:
    """A connection that can be cut from another thread, so that the one that waits for it ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_cut = False
        # The same connection, whatever TLS does with the first.
        self._open: list[socket.socket] = []

    def connect(self, address: Address, place: tuple[str, int], *_args: object, **_kwargs: object) -> socket.socket:
        made = socket.create_connection((str(address), place[1]), _SECONDS)
        with self._lock:
            if self._is_cut:
                made.close()
                raise TimeoutError
            self._open.append(made.dup())
        return made

    def cut(self) -> None:
        """End the connection, and any that is made later."""
        with self._lock:
            self._is_cut = True
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            for one in self._open:
                one.close()
            self._open.clear()


def check_url(url: str, reach: Reach) -> SplitResult:
    """The parts of an address that can be sent to. Raises UnreachableError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UnreachableError(message(_("This is not a valid address."))) from None
    host = parts.hostname or ""
    if not host or not url.isascii() or any(character <= " " for character in url) or port == 0:
        raise UnreachableError(message(_("This is not a valid address.")))
    if parts.username is not None or parts.password is not None:
        raise UnreachableError(message(_("The address cannot contain a name or password.")))
    if parts.scheme != "https" and not (parts.scheme == "http" and reach.local):
        raise UnreachableError(message(_("The address must begin with https://.")))
    return parts


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """The value of the header by which a program knows that a message is ours: its time, and HMAC-SHA256 of time and
    body."""
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return f"t={timestamp},v1={signed.hexdigest()}"


def post(
    url: str,
    body: bytes,
    *,
    secret: str,
    timestamp: int,
    reach: Reach = PUBLIC,
    seconds: float = SECONDS_IN_ALL,
) -> int:
    """Send `body`, within so many seconds; returns the status of the answer, which is 2xx. Raises UnreachableError.

    Redirects are not followed: what they point to was not checked.
    """
    parts = check_url(url, reach)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": _AGENT,
        SIGNATURE: signature(secret, timestamp, body),
    }
    line = _Line()
    try:
        status = within(seconds, partial(_post, parts, body, headers, reach, line))
    except UnreachableError:
        raise
    except TimeoutError:
        line.cut()
        raise UnreachableError(message(_("The address did not answer in time."))) from None
    except ssl.SSLError:
        raise UnreachableError(message(_("The address has no valid certificate."))) from None
    except (OSError, HTTPException):
        raise UnreachableError(message(_("The address cannot be reached."))) from None
    if 300 <= status < 400:
        why = _("The address answered with a redirect (%(status)s), which is not followed.")
        raise UnreachableError(message(why, status=status), status)
    if not 200 <= status < 300:
        raise UnreachableError(message(_("The address answered with %(status)s."), status=status), status)
    return status


def _post(parts: SplitResult, body: bytes, headers: dict[str, str], reach: Reach, line: _Line) -> int:
    """The status of the answer."""
    host, is_secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    address = _checked_address(host, port, reach, is_secure=is_secure)
    connection: HTTPConnection = (
        HTTPSConnection(host, port, timeout=_SECONDS, context=ssl.create_default_context())
        if is_secure
        else HTTPConnection(host, port, timeout=_SECONDS)
    )
    # To the address that was checked: the name may stand for another one by now.
    connection._create_connection = partial(line.connect, address)  # type: ignore[attr-defined]  # not in stubs
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(_MAX_READ)
        return answer.status
    finally:
        connection.close()
        line.close()


def _checked_address(host: str, port: int, reach: Reach, *, is_secure: bool) -> Address:
    """An address of the host. Raises UnreachableError where any of them is not allowed."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ip_address(str(place[0]).partition("%")[0]) for *_about, place in found]
    if not addresses or not all(reach.allows(one, is_secure=is_secure) for one in addresses):
        raise UnreachableError(message(_("The address leads into a private network, which is not allowed.")))
    return addresses[0]


def _with_embedded(address: Address) -> Iterator[Address]:
    """An address, and the IPv4 addresses that it stands for."""
    yield address
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            yield address.ipv4_mapped
        if address.sixtofour is not None:
            yield address.sixtofour
        if address.teredo is not None:
            yield from address.teredo
        if address in _NAT64:
            yield IPv4Address(int(address) & 0xFFFFFFFF)
