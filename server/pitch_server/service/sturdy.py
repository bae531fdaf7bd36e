"""A server of grpc that a stranger's call cannot end.

Since 1.85 the loop in which grpc.aio takes calls decodes the path of each as UTF-8, outside of
any guard: a call whose path is none ends it, and with it the port and every other call. Only
paths that were registered beforehand are safe. Here belongs keeping the others away from that
loop; it reaches into grpc's own names, so that a grpc without them is left as it is, and a test
sees whether such a call does any harm.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import grpc
import grpc.aio
from google.protobuf import descriptor_pool
from google.protobuf.message import DecodeError
from grpc._cython import cygrpc  # type: ignore[attr-defined]

__all__ = ["add_service", "sturdy_server"]

_NEEDED = ("_make_request_call_future", "_request_call")
_NO_MESSAGE = (grpc.StatusCode.INVALID_ARGUMENT, "the request is no such message")
_UNKNOWN = "a method that is not known"


def sturdy_server(options: Sequence[tuple[str, int]]) -> grpc.aio.Server:
    """A server without services, to which `add_service` adds them."""
    inside = cygrpc.AioServer
    if all(hasattr(inside, name) for name in _NEEDED):
        cygrpc.AioServer = _Server  # it makes one at once, and one that is not used would crash
    try:
        return grpc.aio.server(options=options)
    finally:
        cygrpc.AioServer = inside


def add_service(server: grpc.aio.Server, service: grpc.GenericRpcHandler) -> str:
    """Registers each method of a service, whose descriptor is known; the service's name."""
    assert isinstance(service, grpc.ServiceRpcHandler)  # noqa: S101 - it has a name
    name = str(service.service_name())
    methods = descriptor_pool.Default().FindServiceByName(name).methods_by_name
    found = {method: service.service(_Details(f"/{name}/{method}")) for method in methods}
    handlers: Any = {
        method: _guarded(handler) for method, handler in found.items() if handler is not None
    }
    server.add_registered_method_handlers(name, handlers)
    return name


def _guarded(handler: Any) -> Any:
    """A handler that ends calls with bytes that are no message; grpc would print a traceback."""
    read = handler.request_deserializer
    if read is None:  # it takes bytes
        return handler

    def read_or_none(data: bytes) -> Any:
        try:
            return read(data)
        except DecodeError:
            return None

    guarded = handler._replace(request_deserializer=read_or_none)
    if handler.request_streaming:  # it is told of such a request as None
        return guarded
    if handler.response_streaming:
        return guarded._replace(unary_stream=_streaming(handler.unary_stream))
    return guarded._replace(unary_unary=_answering(handler.unary_unary))


def _answering(answer: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Any]:
    async def guarded(request: Any, context: Any) -> Any:
        if request is None:
            await context.abort(*_NO_MESSAGE)
        return await answer(request, context)

    return guarded


def _streaming(answer: Callable[[Any, Any], AsyncIterator[Any]]) -> Callable[[Any, Any], Any]:
    async def guarded(request: Any, context: Any) -> AsyncIterator[Any]:
        if request is None:
            await context.abort(*_NO_MESSAGE)
        async for response in answer(request, context):
            yield response

    return guarded


class _Details(grpc.HandlerCallDetails):
    """A call as a service is asked whether it has a handler for it."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.invocation_metadata = ()


class _Server(cygrpc.AioServer):  # type: ignore[misc]
    """The inside of grpc's server: calls of unknown paths go no further than here."""

    def _make_request_call_future(self, method: bytes | None) -> Any:
        if method is not None:
            return super()._make_request_call_future(method)
        return asyncio.get_running_loop().create_task(self._turn_away_unknown())

    async def _turn_away_unknown(self) -> None:
        """Tells whoever calls it that there is no such method, until the server ends."""
        loop = asyncio.get_running_loop()
        turned_away: set[asyncio.Task[Any]] = set()
        while True:
            call = await self._request_call()
            answer = cygrpc._handle_rpc(_UNKNOWN, _NoMethods(), (), call, loop, False)
            task = loop.create_task(cygrpc._schedule_rpc_coro(answer, call, loop, _UNKNOWN))
            turned_away.add(task)
            task.add_done_callback(turned_away.discard)


class _NoMethods:
    """Knows no method."""

    def resolve_handler(self, _details: Any) -> None:
        """None, which grpc tells the caller in its own words."""
