"""The connections on which devices receive pushes: streams and polls over HTTP/1.1."""
import asyncio

from world import Fault


class Refused(Exception):
    """The server takes no more connections, because it is stopping."""


class PushConnection:
    """A connection to a node. A node that ends it causes an error of the types in `ENDED`."""

    def __init__(self, reader, writer, address):
        self.reader, self.writer, self.address = reader, writer, address

    @classmethod
    async def open(cls, address):
        host, port = address.rsplit(":", 1)
        return cls(*await asyncio.open_connection(host, int(port)), address)

    def close(self):
        self.writer.close()

    async def chunks(self, path):
        """Sends a request. Yields the parts of the answer as they come."""
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.address}\r\n\r\n".encode())
        status = (await self.line()).split(" ", 2)[1]
        while await self.line():
            pass
        if status == "503":
            raise Refused
        if status != "200":
            raise Fault(f"{path.split('?')[0]} was answered with the status {status}")
        while size := int(await self.line(), 16):
            yield await self.reader.readexactly(size)
            await self.line()
        await self.line()

    async def line(self):
        line = await self.reader.readline()
        if not line.endswith(b"\n"):
            raise ConnectionResetError
        return line.rstrip(b"\r\n").decode()

    async def pushes(self, token):
        """Yields the lines of a stream; an empty one at the beginning and from time to time."""
        rest = b""
        async for chunk in self.chunks(f"/push/stream?tok={token}"):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line

    async def poll(self, token):
        """Returns a push, or nothing if there was none for a while."""
        return b"".join([chunk async for chunk in self.chunks(f"/push/poll?tok={token}")])


# How a connection can end without a fault.
ENDED = (OSError, asyncio.IncompleteReadError, Refused)
