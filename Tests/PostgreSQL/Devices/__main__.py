"""Many devices at three nodes on one database: each must get the pushes that the rules require. Run by:
  Tests/postgresql --devices [DEVICES [SEED]]

Each person has 20 of the devices. A device has a session of its own, and listens at a random node: nine of
ten on a stream, the others by polls. The people have subscriptions to records of the public database and to
records, a zone and the whole of their private one; some are silent. They save records at random nodes.

- Meanwhile some devices go to another node, and some are registered at one node and listen at another.
- A node is stopped with SIGTERM while people save at it, and while it has many pushes to send. Its devices go
  to other nodes. It is started again, and some devices go to it.

The program compares the notification collection of each person with the changes that were made: there must be
one notification for each subscription that a change fires, and no other. Then it waits until each device
has received the push of each notification, but for those that may be missing by the rules (see `rules.py`). A
push of another person, one that comes twice, or an order other than that of the collection is a fault, too.

The exit code is 1 if something is wrong; the first fault is then printed.
"""
import asyncio
import pathlib
import resource
import signal
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parent.parent / "KillRounds"))

from rules import Reception  # noqa: E402
from scene import DEVICES_PER_PERSON, Scene  # noqa: E402
from world import Fault, World  # noqa: E402

COUNTS = ("changes", "unanswered", "pushes", "arrived", "coalesced", "replaced", "own", "early", "repeated")


def main(database, devices, seed):
    print(f"{devices} devices with the seed {seed}", flush=True)
    # Each device takes up a file here and one at a node.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # Ended by a signal, it stops what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    world, start = World(*COUNTS, waits=False), time.monotonic()
    try:
        asyncio.run(play(world, database, devices, seed, start))
        fault = None
    except Fault as error:
        fault = error
    counts = ", ".join(f"{number} {name}" for name, number in world.count.items())
    if fault:
        print(f"failed with the seed {seed} ({counts}): {fault}", file=sys.stderr)
        return 1
    seconds = round(time.monotonic() - start)
    print(f"passed: {devices} devices with the seed {seed} in {seconds} s: {counts}")
    return 0


async def play(world, database, count, seed, start):
    scene = Scene(world, pathlib.Path.cwd(), database, seed)

    def report(what):
        print(f"{round(time.monotonic() - start):4} s: {what}, {world.count['pushes']} pushes", flush=True)

    try:
        await prepare(scene, count)
        report("the devices are connected")
        await save(scene)
        report("all pushes have arrived at devices that stayed connected")
        await wander(scene)
        report("all pushes have arrived at devices that went to other nodes, or were new")
        await restart(scene)
        report("all pushes have arrived after a restart of a node")
        await finish(scene)
    finally:
        for task in scene.tasks:
            task.cancel()
        await asyncio.gather(*scene.tasks, return_exceptions=True)
        world.is_over.set()
        scene.stop_all()
        scene.pool.shutdown()


async def prepare(scene, count):
    await scene.add_members(max(1, count // DEVICES_PER_PERSON))
    scene.add_devices(count)
    # Some devices are registered later.
    early = [device for device in scene.devices if not is_late(device)]
    await scene.connect(early)
    await scene.wait_for_connections([device for device in early if not device.polls])
    # A device that polls is known to listen when it has got something.
    await scene.make(scene.members[0], kind="News", may_be_device=False)
    await scene.wait_for_connections(early)
    await scene.check()


def is_late(device):
    return not device.polls and int(device.name.removeprefix("device")) % 20 == 7


async def save(scene):
    await scene.make_all(4)
    await scene.check()


async def wander(scene):
    late = [device for device in scene.devices if is_late(device)]
    early = [device for device in scene.devices if device.visits]

    async def join(device):
        """A device must get the first change after its connection, wherever it is made."""
        await scene.connect([device])
        await scene.wait_for_connections([device])
        await scene.make(device.member, kind="Note", node=device.registered_at, may_be_device=False)

    await asyncio.gather(
        scene.make_all(4), move(scene, scene.random.sample(early, len(early) // 5)), *map(join, late))
    await scene.check()


async def move(scene, devices, node=None):
    """Lets devices go to a node, or to another one, a few at a time, so that this lasts while people save."""
    async def move_some(devices):
        for device in devices:
            if device.node != node:
                device.move(node or scene.other_node(device.node))
                # What a device that polls gets next can be far away.
                await scene.wait_for_connections([] if device.polls else [device])

    await asyncio.gather(*(move_some(devices[start::8]) for start in range(8)))


async def restart(scene):
    node = scene.random.choice(scene.nodes)
    scene.has_stopped = asyncio.Event()

    async def stop():
        goal = scene.world.count["changes"] + len(scene.members)
        await scene.wait_until(lambda: scene.world.count["changes"] >= goal, lambda: "changes")
        # It then has pushes of 30 records to send to every device.
        await scene.make(scene.members[0], kind="News", node=node.name, count=30, may_be_device=False)
        await scene.run(node.stop)
        scene.has_stopped.set()

    await asyncio.gather(scene.make_all(3), stop())
    # A push that was lost when the node stopped must not be concealed by later ones.
    await scene.check()
    await asyncio.gather(scene.make_all(2), scene.run(scene.start, node))
    devices = scene.random.sample(scene.devices, len(scene.devices) // 4)
    await asyncio.gather(scene.make_all(3), move(scene, devices, node.name))
    await scene.check()


async def finish(scene):
    """After these changes, no earlier push can come."""
    await scene.make(scene.members[0], kind="News", may_be_device=False)
    await asyncio.gather(
        *(scene.make(member, kind="Note", may_be_device=False) for member in scene.members))
    await scene.check()
    scene.world.count["repeated"] = sum(Reception(device).repeated for device in scene.devices)


if __name__ == "__main__":
    devices = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    sys.exit(main(sys.argv[1], devices, int(sys.argv[3]) if len(sys.argv) > 3 else 22))
