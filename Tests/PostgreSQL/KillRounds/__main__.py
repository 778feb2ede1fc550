"""Kills nodes, database engines and the object store at random moments, and checks what people see. Run by:
  Tests/postgresql --kills [ROUNDS [SEED]]

Three nodes use a PostgreSQL engine with a synchronous standby, and an object store. Each round kills one or
two nodes, the primary, the standby or the object store with SIGKILL. When the primary is killed, the standby is
promoted, and a new standby is copied from it. Meanwhile writers and devices of several people go from node to
node:

- Each writer has records of its own, which carry the number of the attempt that wrote them. What was reported
  as saved must stay. After any other answer, the record has the state that was reported last, or that of a
  later attempt.
- Some writers save two records in an atomic batch; a device must have both or neither.
- Files of saved records must be found at every node, with their content.
- Each device reads the changes since its token. It must never get an older state of a record than it has, and
  after the last page it must have everything that was reported before its first request.
- At the end, new devices at each node must have the same records as the old devices and the writers.

The exit code is 1 if something is wrong; the first fault is then printed, and the logs are kept.
"""
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

from machines import Cluster
from people import DELETED, Device, Person, Photographer, Writer
from world import PATIENCE, Fault, World, wait_for


def main(rounds, seed):
    print(f"{rounds} rounds with the seed {seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp())
    world = World("saved", "photos", "unanswered", "found later", "pages", "compared", "downloads")
    cluster = Cluster(world, folder)
    # Ended by a signal, it stops what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        cluster.start()
        check(world, cluster, rounds, random.Random(seed))
    except Exception as error:
        world.fail(error)
    finally:
        cluster.stop()
    counts = ", ".join(f"{number} {name}" for name, number in world.count.items())
    if world.faults:
        print(f"failed with the seed {seed} ({counts}): {world.faults[0]}\nlogs: {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    print(f"passed: {rounds} rounds with the seed {seed}: {counts}")
    return 0


def check(world, cluster, rounds, numbers):
    names = [node.name for node in cluster.nodes]
    writers, photographers, devices = [], [], []
    for name in ("ada", "bob", "cleo"):
        person = Person(world, name, numbers.choice(names))
        writers += [Writer(person, f"{name}{number}", numbers.random(), names) for number in (1, 2)]
        photographers.append(Photographer(person, numbers.random(), names))
        devices.append(Device(person, f"the device of {name}", numbers.random(), names))
    threads = [world.run(one.step) for one in writers + photographers + devices]
    for number in range(1, rounds + 1):
        # A moment in the middle of the work: after some saves, and a part of another.
        goal = world.count["saved"] + numbers.randint(1, 60)
        wait_for(lambda: world.count["saved"] >= goal or world.is_over.is_set(), "saves")
        time.sleep(numbers.random() * 0.03)
        if world.is_over.is_set():
            break
        print(f"round {number}: {cluster.round(numbers)}, {world.count['saved']} saved", flush=True)
    world.is_over.set()
    for thread in threads:
        thread.join(PATIENCE)
    if not world.faults:
        converge(writers, photographers, devices, names)


def converge(writers, photographers, devices, names):
    """Compares the devices with new ones at each node, and with the writers."""
    for device in devices:
        wait_for(device.step, device.name)
        for name in names:
            new = Device(device.person, f"a new device at {name}", 1, [name])
            wait_for(new.step, new.name)
            if new.live != device.live:
                raise Fault(f"{new.name} of {device.person.name} has {new.live}, the old one {device.live}")
    for writer in writers:
        live = next(device.live for device in devices if device.person is writer.person)
        for slot in writer.slots:
            for name in slot.names:
                if live.get(name, DELETED if DELETED in slot.allowed else 0) not in slot.allowed:
                    raise Fault(f"{name} is in the state {live.get(name)}, not one of {slot.allowed}")
    for photographer in photographers:
        for photo in photographer.digests:
            for name in names:
                wait_for(lambda: photographer.check(photo, name), f"the file of {photo} at {name}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    sys.exit(main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 22))
