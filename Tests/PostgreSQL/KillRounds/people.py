"""The people of the tests of several nodes, with writers and devices that check each answer."""
import hashlib
import json
import random

from world import Fault

PLACE = "1/iCloud.org.example.parties/development/"
ZONE = {"zoneID": {"zoneName": "Life"}}
# The state of a record is the number of the attempt that wrote it; this is that of a deleted one.
DELETED = 1 << 60
# After these answers to a save, a writer looks up what became of it. All other errors are faults.
UNCERTAIN = {"TRY_AGAIN_LATER", "CONFLICT", "EXISTS", "NOT_FOUND", "ATOMIC_ERROR"}


def code(answer):
    """The error of an answer or of an item of it; None if it is a success."""
    return answer.get("serverErrorCode")


def zone(database):
    """The zone of a request: people have one of their own in their private databases."""
    return ZONE if database == "private" else {}


def number(record):
    return record["fields"]["number"]["value"]


class Person:
    """A person with a private zone. `reported` has the last state of each record that a node reported."""

    def __init__(self, world, name, node):
        self.world, self.name, self.reported, self.pairs = world, name, {}, []
        self.token = world.call(node, "/dev/sign-in", {"name": name})["ckWebAuthToken"]
        self.call(node, "zones/modify", {"operations": [{"operationType": "create", "zone": ZONE}]})

    def call(self, node, path, body, database="private", device=None):
        """Sends a request of this person, or of a device, which has a session and a name of its own."""
        address = f"/database/{PLACE}{database}/{path}?ckWebAuthToken={(device or self).token}"
        if device is None:
            return self.world.call(node, address, body)
        return self.world.call(node, f"{address}&clientId={device.name}", body, {"X-Cloudlet-Details": "1"})

    def modify(self, node, operations, database="private", device=None):
        """Returns the saved records; None if it is uncertain whether there are any."""
        body = dict(zone(database), operations=operations)
        answer = self.call(node, "records/modify", body, database, device)
        if answer is None:
            self.world.add("unanswered")
            return None
        items = [answer] if code(answer) else answer["records"]
        codes = {code(item) for item in items} - {None}
        if codes - UNCERTAIN:
            raise Fault(f"unexpected answer of {node} to a save of {self.name}: {answer}")
        return None if codes else items

    def look_up(self, node, names, database="private"):
        """Returns a record for each name, None for a missing one; None if there was no answer."""
        records = [{"recordName": name} for name in names]
        answer = self.call(node, "records/lookup", dict(zone(database), records=records), database)
        if answer is None or code(answer) == "TRY_AGAIN_LATER":
            return None
        items = answer.get("records")
        if items is None or {code(item) for item in items} - {None, "NOT_FOUND"}:
            raise Fault(f"unexpected answer of {node} to a lookup of {self.name}: {answer}")
        return [None if code(item) else item for item in items]

    def report(self, names, state):
        with self.world.lock:
            for name in names:
                self.reported[name] = state


class Slot:
    """One record, or two that are always saved together."""

    def __init__(self, names):
        self.names, self.state, self.tags = names, 0, {}
        # The attempts that may have been carried out, or may be later.
        self.attempts, self.was_uncertain = set(), False

    @property
    def allowed(self):
        return self.attempts | {self.state}


class Writer:
    """Creates, changes and deletes records that nobody else changes."""

    def __init__(self, person, name, seed, nodes):
        self.person, self.name, self.nodes = person, name, nodes
        self.random, self.attempt, self.records = random.Random(seed), 0, 0
        self.slots = [self.slot() for _ in range(8)]

    def slot(self):
        self.records += 1
        names = [f"{self.name}-{self.records}"]
        if self.records % 2:
            names.append(names[0] + "-pair")
            with self.person.world.lock:
                self.person.pairs.append(names)
        return Slot(names)

    def step(self):
        place = self.random.randrange(len(self.slots))
        slot = self.slots[place]
        self.attempt += 1
        # A delayed repetition of a creation could bring a deleted record back.
        deletes = self.random.random() < 0.06 and slot.state > 0 and not slot.was_uncertain
        state = DELETED if deletes else self.attempt
        slot.attempts.add(state)
        operations = [self.operation(slot, name, deletes) for name in slot.names]
        saved = self.person.modify(self.random.choice(self.nodes), operations)
        if saved is None:
            slot.was_uncertain = True
            self.find(slot)
        else:
            self.person.report(slot.names, state)
            self.person.world.add("saved")
            slot.state, slot.attempts = state, set()
            slot.tags = {record["recordName"]: record.get("recordChangeTag") for record in saved}
        if slot.state == DELETED:
            self.slots[place] = self.slot()

    def operation(self, slot, name, deletes):
        kind = "delete" if deletes else "update" if slot.state else "create"
        record = {"recordName": name, "recordType": "Life"}
        if slot.state:
            record["recordChangeTag"] = slot.tags[name]
        if not deletes:
            record["fields"] = {"number": {"value": self.attempt, "type": "INT64"}}
        return {"operationType": kind, "record": record}

    def find(self, slot):
        """Looks up what became of an attempt."""
        found = None
        while found is None:
            if self.person.world.is_over.is_set():
                return
            found = self.person.look_up(self.random.choice(self.nodes), slot.names)
        states = {number(record) if record else 0 for record in found}
        if len(states) > 1:
            raise Fault(f"{slot.names}: an atomic batch was saved in part: {states}")
        state = states.pop()
        if state == 0 and slot.state and DELETED in slot.allowed:
            state = DELETED
        if state not in slot.allowed:
            raise Fault(f"{slot.names}: the state {slot.state} was reported, and {state} is found")
        if state != slot.state:
            self.person.world.add("found later")
            slot.state, slot.attempts = state, {other for other in slot.attempts if other > state}
            slot.tags = {record["recordName"]: record["recordChangeTag"] for record in found if record}
            self.person.report(slot.names, state)


class Photographer:
    """Saves records with files, and downloads them from any node."""

    def __init__(self, person, seed, nodes):
        self.person, self.nodes, self.random = person, nodes, random.Random(seed)
        self.attempt, self.digests = 0, {}

    def step(self):
        if self.digests and self.random.random() < 0.9:
            self.check(self.random.choice(list(self.digests)), self.random.choice(self.nodes))
            return
        self.attempt += 1
        # The largest are stored in parts.
        size = self.random.choices([1, 1000, 100_000, 5_500_000], [8, 8, 8, 1])[0]
        if self.save(f"{self.person.name}-photo-{self.attempt}", self.random.randbytes(size)):
            self.person.world.add("photos")

    def save(self, name, content):
        person, node = self.person, self.random.choice(self.nodes)
        place = {"recordName": name, "recordType": "Photo", "fieldName": "file"}
        answer = person.call(node, "assets/upload", dict(ZONE, tokens=[place]))
        if answer is None or code(answer) == "TRY_AGAIN_LATER":
            return False
        if code(answer):
            raise Fault(f"unexpected answer of {node} to a request for an upload: {answer}")
        sent = person.world.send("POST", answer["tokens"][0]["url"], content)
        if sent is None or sent[0] == 503:
            return False
        if sent[0] != 200:
            raise Fault(f"unexpected answer of {node} to an upload: {sent}")
        file = {"value": json.loads(sent[1])["singleFile"], "type": "ASSETID"}
        record = {"recordName": name, "recordType": "Photo", "fields": {"file": file, "number": {"value": 1}}}
        saved = person.modify(
            self.random.choice(self.nodes), [{"operationType": "create", "record": record}])
        if saved is None:
            return False
        self.digests[name] = hashlib.sha256(content).digest()
        person.report([name], 1)
        return True

    def check(self, name, node):
        """Downloads a file. Returns whether it was there."""
        found = self.person.look_up(node, [name])
        if found is None:
            return False
        if found[0] is None:
            raise Fault(f"{name} was saved, and {node} does not have it")
        answer = self.person.world.send("GET", found[0]["fields"]["file"]["value"]["downloadURL"])
        if answer is None or answer[0] == 503:
            return False
        if answer[0] != 200 or hashlib.sha256(answer[1]).digest() != self.digests[name]:
            raise Fault(f"{node} gave another file for {name}: {answer[0]} {answer[1][:200]}")
        self.person.world.add("downloads")
        return True


class Device:
    """Follows the changes of a zone."""

    def __init__(self, person, name, seed, nodes):
        self.person, self.name, self.nodes = person, name, nodes
        self.random, self.token, self.seen = random.Random(seed), None, {}

    def step(self):
        """Reads all pages. Returns whether it came to the end."""
        with self.person.world.lock:
            reported, pairs = dict(self.person.reported), list(self.person.pairs)
        limit = self.random.choice([3, 50, 200])
        while (page := self.page(limit)) is not None:
            for record in page["records"]:
                self.take(record)
            self.token = page["syncToken"]
            self.person.world.add("pages")
            if not page["moreComing"]:
                self.compare(reported, pairs)
                return True
        return False

    def page(self, limit):
        zone = dict(ZONE, resultsLimit=limit)
        if self.token:
            zone["syncToken"] = self.token
        answer = self.person.call(self.random.choice(self.nodes), "changes/zone", {"zones": [zone]})
        if answer is None:
            return None
        page = answer if code(answer) else answer["zones"][0]
        if code(page) == "TRY_AGAIN_LATER":
            return None
        if code(page):
            raise Fault(f"{self.name}: unexpected answer to a request for changes: {answer}")
        return page

    def take(self, record):
        name = record["recordName"]
        state = DELETED if record.get("deleted") else number(record)
        if self.seen.get(name, 0) > state:
            raise Fault(f"{self.name}: {name} went back from {self.seen[name]} to {state}")
        self.seen[name] = state

    def compare(self, reported, pairs):
        for name, state in reported.items():
            # A device that begins after a deletion need not be told of it.
            seen = self.seen.get(name, DELETED if state == DELETED else 0)
            if seen < state:
                raise Fault(f"{self.name}: it has {seen} of {name}, and {state} was reported before")
        for one, other in pairs:
            if self.seen.get(one) != self.seen.get(other):
                raise Fault(f"{self.name}: it has a part of the atomic batch of {one}")
        self.person.world.add("compared")

    @property
    def live(self):
        return {name: state for name, state in self.seen.items() if state != DELETED}
