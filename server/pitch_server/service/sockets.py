"""The sockets that grpc holds: which connections there are, and how one is cut.

grpc tells neither how many connections it holds nor lets a call be ended whose peer does not
read. Here belongs looking at this process's own descriptors; which connection must go is
decided elsewhere. A peer is written ADDRESS:PORT, IPv6 addresses in brackets.
"""

import errno
import os
import socket
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from urllib.parse import unquote

__all__ = ["connections_to", "cut", "descriptors", "peer_of"]

_MAPPED = "::ffff:"


def peer_of(called: str) -> str:
    """A peer as grpc calls it ("ipv4:127.0.0.1:5", "ipv6:%5B::1%5D:5")."""
    return unquote(called.partition(":")[2])


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir(_folder()))  # noqa: PTH208 - only their number counts


def connections_to(ports: Collection[int]) -> set[str]:
    """The peers of every connection that came to these ports."""
    return {peer for _, peer in _connections(ports)}


def cut(peers: Collection[str], ports: Collection[int]) -> int:
    """Ends connections at once, whatever they wait for; how many there were.

    Only this shows grpc that a peer which does not read is gone: it holds its call for ever.
    """
    count = 0
    for connection, peer in _connections(ports):
        if peer in peers:
            count += 1
            with suppress(OSError):  # it is gone already
                connection.shutdown(socket.SHUT_RDWR)
    return count


def _connections(ports: Collection[int]) -> Iterator[tuple[socket.socket, str]]:
    """Every connection with its peer, as a descriptor of its own while it is looked at."""
    for name in os.listdir(_folder()):  # noqa: PTH208 - names are numbers here
        with suppress(OSError), _duplicate(int(name)) as connection:
            internet = connection.family in (socket.AF_INET, socket.AF_INET6)
            if internet and connection.getsockname()[1] in ports:
                yield connection, _peer_name(connection.getpeername())


def _duplicate(descriptor: int) -> socket.socket:
    """A socket by a number of its own: it stays the same if the other is closed and used again."""
    if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))
    mine = os.dup(descriptor)
    try:
        return socket.socket(fileno=mine)
    except OSError:  # another file has the number meanwhile
        os.close(mine)
        raise


def _folder() -> str:
    return "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"  # noqa: PTH112


def _peer_name(name: tuple[str, int]) -> str:
    host, port = name[0], name[1]
    if host.startswith(_MAPPED):
        return f"{host.removeprefix(_MAPPED)}:{port}"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
