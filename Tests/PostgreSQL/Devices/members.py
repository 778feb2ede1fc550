"""People who subscribe to changes of records and save records, and the notifications that they must get."""
import json
import random

from people import PLACE, ZONE, Person, code, number
from world import Fault

SCOPES = {"public": 1, "private": 2}
EVENTS = {"create": 1, "update": 2, "delete": 3}
# A subscription to changes of "Party" and "Seat" records is limited to one table.
TABLES = 10


class Terms:
    """A subscription. Without a record type, it is to a zone or to a database, and fires once per commit."""

    def __init__(self, name, database, is_silent, record_type=None, events=(), table=None):
        self.name, self.database, self.is_silent = name, database, is_silent
        self.type, self.events, self.table = record_type, events, table

    def dictionary(self):
        info = {"shouldSendContentAvailable": True} if self.is_silent else {"alertBody": self.name}
        subscription = {"subscriptionID": self.name, "notificationInfo": info}
        if self.database == "private" and self.name != "database":
            subscription.update(ZONE)
        if self.type is None:
            return dict(subscription, subscriptionType=self.name)
        filters = []
        if self.table is not None:
            filters.append({"fieldName": "table", "comparator": "EQUALS",
                            "fieldValue": {"value": self.table, "type": "INT64"}})
        info["additionalFields"] = ["number"]
        return dict(subscription, subscriptionType="query", firesOn=self.events,
                    query={"recordType": self.type, "filterBy": filters})

    def fires(self, record, event):
        return (self.type == record.type and event in self.events
                and self.table in (None, record.table))


class Record:
    def __init__(self, record_type, name, table):
        self.type, self.name, self.table = record_type, name, table
        self.number, self.tag = 0, None


class Change:
    """A save of a few records in one request. `device` is the device that makes it under its name."""

    def __init__(self, member, database, event, records, identifier, node, device):
        self.member, self.database, self.event, self.records = member, database, event, records
        self.number, self.node, self.device = identifier, node, device
        self.began = self.ended = None

    def __str__(self):
        names = ", ".join(record.name for record in self.records[:3])
        return f"{self.event} of {names} ({len(self.records)} records) by {self.member.name} at {self.node}"

    @property
    def operations(self):
        return [self.operation(record) for record in self.records]

    def operation(self, record):
        dictionary = {"recordName": record.name, "recordType": record.type}
        if record.tag:
            dictionary["recordChangeTag"] = record.tag
        if self.event != "delete":
            dictionary["fields"] = {"number": {"value": self.number, "type": "INT64"},
                                    "table": {"value": record.table, "type": "INT64"}}
        return {"operationType": self.event, "record": dictionary}

    def is_in(self, found):
        """Whether a looked-up record, None for a missing one, shows that the change was made."""
        return found is None if self.event == "delete" else found is not None and number(found) == self.number


class Notification:
    """A notification in a person's collection. `place` is its place among those of the same database."""

    def __init__(self, key, place, is_silent, change):
        self.key, self.place, self.is_silent, self.change = key, place, is_silent, change
        self.scope, _, self.subscription = key

    def is_surely_before(self, other):
        if self.scope == other.scope:
            return self.place < other.place
        return self.change.ended < other.change.began


class Member(Person):
    """A person with subscriptions and devices. Blocks while it is created."""

    def __init__(self, world, index, node, seed):
        super().__init__(world, f"person{index}", node)
        self.random = random.Random(seed)
        self.user = self.call(node, "users/caller", {}, "public")["userRecordName"]
        self.devices, self.everyone, self.made = [], [], 0
        # The person's records that exist, by their type.
        self.own = {"Party": [], "Seat": [], "News": [], "Note": []}
        table = index % TABLES
        offers = [
            Terms("table", "public", False, "Party", ["create", "update", "delete"], table),
            Terms("seats", "public", True, "Seat", ["create", "update"], table),
            Terms("notes", "private", False, "Note", ["create", "delete"]),
            Terms("edits", "private", True, "Note", ["update"]),
            Terms("zone", "private", True), Terms("database", "private", False)]
        self.terms = {"news": Terms("news", "public", False, "News", ["create"])}
        self.terms.update((terms.name, terms) for terms in offers if self.random.random() < 0.8)
        # The changes for which there must be a notification that is not yet read from the collection: those
        # of queries by what identifies them, and the commits in the zone by the subscription.
        self.expected, self.commits = {}, {name: [] for name in self.terms}
        # The notifications by their keys, and those of each database in order.
        self.notifications, self.ordered, self.position = {}, {1: [], 2: []}, None
        # Pushes that arrived, by their bytes, and what they say, by their keys.
        self.parsed, self.contents = {}, {}

    def subscribe(self, node):
        for database in SCOPES:
            terms = [terms for terms in self.terms.values() if terms.database == database]
            operations = [{"operationType": "create", "subscription": one.dictionary()} for one in terms]
            answer = self.call(node, "subscriptions/modify", {"operations": operations}, database)
            if code(answer) or any(code(item) for item in answer["subscriptions"]):
                raise Fault(f"{self.name} cannot subscribe: {answer}")

    # Changes

    def plan(self, scene, kind=None, node=None, count=None, may_be_device=True):
        """Returns the next change; random, but for what is given."""
        kind = kind or self.random.choices(["News", "Party", "Seat", "Note"], [1, 6, 4, 9])[0]
        own, events = self.own[kind], ["create"]
        if own and kind != "News":
            events = ["create", "update"] if kind == "Seat" else ["create", "update", "delete"]
        event = self.random.choice(events)
        count = count or (1 if kind == "News" else self.random.randint(1, 3))
        self.made += 1
        if event == "create":
            table = self.random.randrange(TABLES)
            records = [Record(kind, f"{kind}-{self.name}-{self.made}-{one}", table) for one in range(count)]
        else:
            records = self.random.sample(own, min(count, len(own)))
        device = None
        if may_be_device and self.random.random() < 0.2:
            device = self.random.choice([device for device in self.devices if device.token])
        return Change(self, "private" if kind == "Note" else "public", event, records, self.made,
                      node or scene.some_node(self.random), device)

    def note(self, change, records, tags):
        """Notes that a change of these records was made, and who must be notified of it."""
        scope = SCOPES[change.database]
        for record in records:
            audience = self.everyone if change.database == "public" else [self]
            # A deletion is announced with the fields that the record had.
            content = record.number if change.event == "delete" else change.number
            for member in audience:
                for terms in member.terms.values():
                    if terms.database == change.database and terms.fires(record, change.event):
                        key = (scope, terms.name, record.name, EVENTS[change.event], content)
                        member.expected[key] = change
            own = self.own[record.type]
            if change.event == "create":
                own.append(record)
            elif change.event == "delete":
                own.remove(record)
            record.number, record.tag = change.number, tags.get(record.name)
        if change.database == "private" and records:
            for name in self.commits:
                if name in ("zone", "database"):
                    self.commits[name].append(change)

    # Notifications

    def read(self, push, device):
        """Returns the key of a push that arrived at a device, and whether a person sees it."""
        known = self.parsed.get(push)
        if known is None:
            message = json.loads(push)
            content = message["ck"]
            if content.get("ckuserid") != self.user:
                raise Fault(f"{device} got a push of another person: {message}")
            known = self.parsed[push] = (self.key(content), "alert" in message["aps"])
            if self.contents.setdefault(known[0], content) != content:
                raise Fault(f"{device} got {content}, another device {self.contents[known[0]]}")
        return known

    @staticmethod
    def key(content):
        part = content.get("qry") or content.get("fet") or content["met"]
        return part["dbs"], content["nid"], part["sid"]

    def collect(self, node):
        """Reads the new notifications of the collection, and compares them with the changes that were made.
        Returns them. Blocks."""
        new, more = [], True
        while more:
            body = {"syncToken": self.position} if self.position else {}
            page = self.world.call(
                node, f"/device/{PLACE}notifications/changes?ckWebAuthToken={self.token}", body)
            if code(page):
                raise Fault(f"{self.name} cannot read the notifications: {page}")
            new += [self.notification(entry["ck"]) for entry in page["notifications"]]
            self.position, more = page["syncToken"], page["moreComing"]
        lost = next(iter(self.expected), None)
        if lost:
            raise Fault(f"no notification of {self.name} was made for {self.expected[lost]}: {lost}")
        for name, changes in self.commits.items():
            if changes:
                raise Fault(f"no notification of {self.name} was made for {changes[0]}: {name}")
        return new

    def notification(self, content):
        key = scope, _, name = self.key(content)
        if key in self.notifications:
            raise Fault(f"{self.name} has a notification twice: {content}")
        if query := content.get("qry"):
            identity = (scope, name, query["rid"], query["fo"], query.get("af", {}).get("number"))
            change = self.expected.pop(identity, None)
        else:
            change = self.commits[name].pop(0) if self.commits.get(name) else None
        if change is None:
            raise Fault(f"{self.name} has a notification of nothing: {content}")
        new = Notification(key, len(self.ordered[scope]), self.terms[name].is_silent, change)
        self.ordered[scope].append(new)
        self.notifications[key] = new
        self.contents.setdefault(key, content)
        if self.contents[key] != content:
            raise Fault(f"{self.name} has the notification {content} and got {self.contents[key]}")
        return new
