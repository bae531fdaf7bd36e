"""What anybody may ask: does the server serve, and which services has it.

Here belong the health and reflection services of gRPC, bounded. Nothing of a tournament can be
learnt from them; whoever asks is a stranger.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import suppress
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from pitch_server.service.sturdy import add_service

__all__ = ["Health", "add_public_services"]

_HEALTH = "grpc.health.v1.Health"
_WATCHERS = 64
_QUESTIONS = 200  # of one stream of reflection
_PATIENCE = 30.0  # seconds between two of them


class Health:
    """Whether the server serves: all of its services do, or none."""

    def __init__(self, services: Collection[str]) -> None:
        self._services = {"", *services}
        self._serving = True
        self._changed = asyncio.Event()
        self._watchers = 0

    def set_serving(self, serving: bool) -> None:
        """Tells everybody that the server serves, or that it will soon end."""
        self._serving = serving
        self._changed.set()
        self._changed = asyncio.Event()

    async def check(
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> health_pb2.HealthCheckResponse:
        """Answers once."""
        if request.service not in self._services:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        return health_pb2.HealthCheckResponse(status=self._status(request.service))

    async def watch(
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Answers now and whenever it changes."""
        if self._watchers >= _WATCHERS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many watch already")
        self._watchers += 1
        try:
            while True:
                changed = self._changed
                yield health_pb2.HealthCheckResponse(status=self._status(request.service))
                await changed.wait()
        finally:
            self._watchers -= 1

    def _status(self, service: str) -> Any:
        if service not in self._services:
            return health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        if self._serving:
            return health_pb2.HealthCheckResponse.SERVING
        return health_pb2.HealthCheckResponse.NOT_SERVING


class _Reflection:
    """Reflection that ends after so many questions, or when it is asked nothing for a while."""

    def __init__(self, services: Sequence[str]) -> None:
        self._whole: Any = reflection.aio.ReflectionServicer(services)

    async def answer(self, requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
        """Answers one question after the other."""
        async for response in self._whole.ServerReflectionInfo(_few(requests), context):
            yield response


async def _few(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    with suppress(StopAsyncIteration, TimeoutError):
        for _ in range(_QUESTIONS):
            request = await asyncio.wait_for(anext(requests), _PATIENCE)
            if request is None:  # bytes that are no message
                return
            yield request


def add_public_services(server: grpc.aio.Server, services: Sequence[str]) -> Health:
    """Adds health and reflection for these services; the health, to be set."""
    health = Health([*services, _HEALTH])
    ask: Any = {
        "request_deserializer": health_pb2.HealthCheckRequest.FromString,
        "response_serializer": health_pb2.HealthCheckResponse.SerializeToString,
    }
    check = grpc.unary_unary_rpc_method_handler(health.check, **ask)
    watch = grpc.unary_stream_rpc_method_handler(health.watch, **ask)
    reflect: Any = grpc.stream_stream_rpc_method_handler(
        _Reflection([*services, _HEALTH, reflection.SERVICE_NAME]).answer,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    for name, handlers in (
        (_HEALTH, {"Check": check, "Watch": watch}),
        (reflection.SERVICE_NAME, {"ServerReflectionInfo": reflect}),
    ):
        add_service(server, grpc.method_handlers_generic_handler(name, handlers))
    return health
