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
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

__all__ = ["Health", "add_public_services"]

_HEALTH = "grpc.health.v1.Health"
_WATCHERS = 64
_QUESTIONS = 200  # of one stream of reflection
_PATIENCE = 30.0  # seconds between two of them


class Health(health_pb2_grpc.HealthServicer):
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

    async def Check(  # noqa: N802 - the name in the protocol
        self, request: health_pb2.HealthCheckRequest, context: Any
    ) -> health_pb2.HealthCheckResponse:
        """Answers once."""
        if request.service not in self._services:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        return health_pb2.HealthCheckResponse(status=self._status(request.service))

    async def Watch(  # noqa: N802
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

    async def ServerReflectionInfo(  # noqa: N802
        self, requests: AsyncIterator[Any], context: Any
    ) -> AsyncIterator[Any]:
        """Answers one question after the other."""
        async for response in self._whole.ServerReflectionInfo(_few(requests), context):
            yield response


async def _few(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    with suppress(StopAsyncIteration, TimeoutError):
        for _ in range(_QUESTIONS):
            yield await asyncio.wait_for(anext(requests), _PATIENCE)


def add_public_services(server: grpc.aio.Server, services: Sequence[str]) -> Health:
    """Adds health and reflection for these services; the health, to be set."""
    health = Health([*services, _HEALTH])
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    add_reflection: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
    add_reflection(_Reflection([*services, _HEALTH, reflection.SERVICE_NAME]), server)
    return health
