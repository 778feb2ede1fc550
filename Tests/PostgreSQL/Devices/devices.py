"""The devices: each listens at one node, and notes what arrives."""
import asyncio
import math
import time

from people import PLACE
from streams import ENDED, PushConnection
from world import Fault


class Visit:
    """The time for which a device listens at one node: on a stream, or by polls."""

    def __init__(self, node, starts):
        self.node = node
        # How often the node was started before. Later than the first time, it has no pushes of earlier times.
        self.starts = starts
        # From this time on, the device is known to listen.
        self.opened = math.inf
        # The key of each push in the order of arrival, and whether a person sees it.
        self.arrivals = []


class Device:
    def __init__(self, scene, member, name, polls):
        self.scene, self.member, self.name, self.polls = scene, member, name, polls
        self.token = self.courier = self.registered_at = self.node = self.reading = None
        self.visits = []

    def __str__(self):
        return f"{self.name} of {self.member.name}"

    def register(self, sign_in_node, node):
        """Signs in at a node, and gets an address for pushes from another. Blocks."""
        world = self.scene.world
        self.token = world.call(sign_in_node, "/dev/sign-in", {"name": self.member.name})["ckWebAuthToken"]
        answer = world.call(
            node, f"/device/{PLACE}tokens/create?ckWebAuthToken={self.token}",
            {"apnsEnvironment": "development", "clientId": self.name})
        if "webcourierURL" not in answer:
            raise Fault(f"{self} got no address for its pushes: {answer}")
        self.courier, self.registered_at = answer["webcourierURL"].split("tok=")[1], node

    async def listen(self, node):
        """Listens at a node, and at another one when it moves, or when its node ends the connection."""
        self.node = node
        while True:
            visit = Visit(self.node, self.scene.starts[self.node])
            self.visits.append(visit)
            self.reading = asyncio.create_task(self.read(visit))
            await asyncio.wait([self.reading])
            error = None if self.reading.cancelled() else self.reading.exception()
            if error and not isinstance(error, ENDED):
                raise error
            if not self.reading.cancelled():
                if visit.node in self.scene.world.addresses and visit.starts == self.scene.starts[visit.node]:
                    raise Fault(
                        f"{visit.node} ended the connection of {self}, but is not stopping: {error!r}")
                self.node = self.scene.other_node(visit.node)
            if not visit.arrivals and visit.opened == math.inf:
                self.visits.remove(visit)

    def move(self, node):
        """Ends the connection, and connects to another node."""
        self.node = node
        self.reading.cancel()

    @property
    def is_open(self):
        return bool(self.visits) and self.visits[-1].node == self.node and self.visits[-1].opened < math.inf

    async def read(self, visit):
        address = self.scene.world.addresses.get(visit.node)
        if address is None:
            return
        connection = await PushConnection.open(address)
        try:
            while self.polls:
                push = await connection.poll(self.courier)
                self.take(push, visit)
                # After the first poll, the node keeps all pushes until the next one.
                self.note_open(visit)
            async for line in connection.pushes(self.courier):
                self.note_open(visit)
                self.take(line, visit)
        finally:
            connection.close()

    def note_open(self, visit):
        if visit.opened == math.inf:
            visit.opened = time.monotonic()
            self.scene.notice(self)

    def take(self, push, visit):
        if push:
            visit.arrivals.append(self.member.read(push, self))
            self.scene.world.count["pushes"] += 1
            self.scene.notice(self)
