"""The people, their devices and the nodes, and what the parts of the test do with them."""
import asyncio
import concurrent.futures
import functools
import random
import time

from devices import Device
from machines import Node
from members import Change, Member, Record
from rules import Reception
from world import PATIENCE, Fault

DEVICES_PER_PERSON = 20


class Scene:
    def __init__(self, world, folder, database, seed):
        self.world, self.random = world, random.Random(seed)
        self.nodes = [Node(world, folder, name, database) for name in ("node1", "node2", "node3")]
        # How often each node was started.
        self.starts = {node.name: 0 for node in self.nodes}
        self.members, self.devices, self.tasks = [], [], []
        # The devices at which something happened, and the event that tells of it.
        self.noticed, self.event = set(), asyncio.Event()
        self.has_stopped = None
        self.pool = concurrent.futures.ThreadPoolExecutor(64)

    # Waiting

    async def run(self, work, *arguments, **named):
        """Runs something that blocks in another thread."""
        call = functools.partial(work, *arguments, **named)
        return await asyncio.get_running_loop().run_in_executor(self.pool, call)

    def notice(self, device):
        self.noticed.add(device)
        self.event.set()

    async def wait_until(self, condition, what):
        """Waits until a condition holds; it is checked whenever something has happened at a device."""
        end = time.monotonic() + PATIENCE
        while not condition():
            for task in self.tasks:
                if task.done():
                    task.result()
            self.event.clear()
            try:
                await asyncio.wait_for(self.event.wait(), end - time.monotonic())
            except TimeoutError:
                raise Fault(f"waited {PATIENCE} s for {what()}")

    async def wait_for_connections(self, devices):
        def closed():
            return [device for device in devices if not device.is_open]

        await self.wait_until(
            lambda: not closed(), lambda: f"the connection of {closed()[0]} to {closed()[0].node}")

    # Nodes

    def some_node(self, numbers):
        return numbers.choice(sorted(self.world.addresses))

    def other_node(self, name):
        return self.random.choice(sorted(set(self.world.addresses) - {name}))

    def start(self, node):
        self.starts[node.name] += 1
        node.start()

    def stop_all(self):
        for node in self.nodes:
            node.kill()

    # People and devices

    async def add_members(self, count):
        for node in self.nodes:
            await self.run(self.start, node)
        seeds = [self.random.random() for _ in range(count)]
        first = await self.add_member(0, seeds[0])
        # The fields must exist when somebody subscribes to records that have them.
        for kind in ("Party", "Seat", "News", "Note"):
            database = "private" if kind == "Note" else "public"
            record = Record(kind, f"first-{kind}", -1)
            change = Change(first, database, "create", [record], 0, first.home, None)
            await self.run(first.modify, first.home, change.operations, database)
        others = [self.add_member(index, seeds[index]) for index in range(1, count)]
        self.members = [first, *await asyncio.gather(*others)]
        await asyncio.gather(*(self.run(member.subscribe, member.home) for member in self.members))
        for member in self.members:
            member.everyone = self.members

    async def add_member(self, index, seed):
        home = random.Random(seed).choice(self.nodes).name
        member = await self.run(Member, self.world, index, home, seed)
        member.home, member.lock = home, asyncio.Lock()
        return member

    def add_devices(self, count):
        """Adds devices that are not registered yet. One of ten polls."""
        for index in range(count):
            member = self.members[index % len(self.members)]
            device = Device(self, member, f"device{index}", polls=self.random.random() < 0.1)
            member.devices.append(device)
            self.devices.append(device)

    async def register(self, device, nodes):
        await self.run(device.register, *nodes[:2])
        self.tasks.append(asyncio.create_task(device.listen(nodes[2])))

    async def connect(self, devices):
        """Registers devices and lets them listen, each at nodes of its own."""
        names = [node.name for node in self.nodes]
        places = [self.random.choices(names, k=3) for _ in devices]
        await asyncio.gather(*map(self.register, devices, places))

    # Changes

    async def make(self, member, **choices):
        """Makes the next change of a person."""
        # A person makes one change after the other, so that the order of the commits is known.
        async with member.lock:
            change = member.plan(self, **choices)
            change.began = time.monotonic()
            saved = await self.run(
                member.modify, change.node, change.operations, change.database, change.device)
            made = change.records
            if saved is None:
                made = await self.find(change)
                saved = []
            change.ended = time.monotonic()
            self.world.count["changes"] += 1
            self.event.set()
            member.note(change, made, {item["recordName"]: item.get("recordChangeTag") for item in saved})

    async def find(self, change):
        """Returns the records that a change without an answer has changed."""
        if self.has_stopped is None:
            raise Fault(f"no answer to the {change}")
        await self.has_stopped.wait()
        names = [record.name for record in change.records]
        found = await self.run(
            change.member.look_up, self.some_node(self.random), names, change.database)
        # The person does not change them again.
        for record in change.records:
            if record in change.member.own[record.type]:
                change.member.own[record.type].remove(record)
        return [record for record, item in zip(change.records, found) if change.is_in(item)]

    async def make_all(self, count):
        """Makes a number of changes of each person."""
        async def make_some(member):
            for _ in range(count):
                await self.make(member)

        await asyncio.gather(*map(make_some, self.members))

    # Checks

    async def check(self):
        """Waits until each device has received what it must receive of the changes until now."""
        new = await asyncio.gather(
            *(self.run(member.collect, self.some_node(self.random)) for member in self.members))
        new = dict(zip(self.members, new))
        missing = {}
        self.noticed = set(self.devices)

        def is_complete():
            for device in self.noticed:
                fates = self.fates(device, new[device.member])
                if "missing" in fates.values():
                    missing[device] = fates
                else:
                    missing.pop(device, None)
            self.noticed = set()
            return not missing

        await self.wait_until(is_complete, lambda: self.describe(missing))
        for device in self.devices:
            for fate in self.fates(device, new[device.member]).values():
                self.world.count[fate] += 1

    def fates(self, device, notifications):
        if not device.visits:
            return {}
        reception = Reception(device)
        return {notification: reception.fate(notification) for notification in notifications}

    @staticmethod
    def describe(missing):
        count, lines = 0, []
        for device, fates in missing.items():
            lost = [notification for notification, fate in fates.items() if fate == "missing"]
            count += len(lost)
            nodes = ", ".join(visit.node for visit in device.visits)
            lines.append(f"{device}, which listened at {nodes}: {len(lost)}, the first of the subscription "
                         f"{lost[0].subscription} about the {lost[0].change}")
        return f"{count} pushes to {len(missing)} devices:\n  " + "\n  ".join(lines[:10])
