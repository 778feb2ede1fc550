"""What a device must receive, by the rules of pushes:

- A device that listens receives each push once, those of one database in their order.
- While they wait, a silent push replaces the previous one of the same subscription.
- For a device that does not listen, each node keeps the latest push only. So the first push that arrives at
  another node replaces those before it, and a push can arrive at both nodes.
- A node that was started again sends the latest notification once more, silently.
- A device that makes a change under its name receives no push of it.
"""
from world import Fault


class Reception:
    """What arrived at a device until now, compared with the notifications of its person."""

    def __init__(self, device):
        self.device, self.notifications = device, device.member.notifications
        self.seen, self.newest, self.firsts = set(), {}, []
        self.repeated = 0
        for index, visit in enumerate(device.visits):
            self.follow(visit, is_first=index == 0)

    def follow(self, visit, is_first):
        before, arrivals = set(self.seen), visit.arrivals
        for key, _ in arrivals:
            notification = self.notifications.get(key)
            if notification is None:
                raise Fault(f"{self.device} got a push at {visit.node} that is in no collection: {key}")
            if notification.change.device is self.device:
                raise Fault(f"{self.device} got a push at {visit.node} of its own {notification.change}")
            self.repeated += key in before
            self.seen.add(key)
            group = key[0], key[2]
            self.newest[group] = max(notification.place, self.newest.get(group, -1))
        wrong = self.wrong(arrivals)
        if wrong:
            # A node that was started again may have sent one of these once more, silently.
            may_copy = not is_first and visit.starts > 1
            others = [arrivals[:index] + arrivals[index + 1:] for index in wrong if not arrivals[index][1]]
            if not may_copy or all(map(self.wrong, others)):
                key = arrivals[wrong[0]][0]
                raise Fault(f"{self.device} got a push at {visit.node} twice, out of order or in another "
                            f"form: {key}, of the {self.notifications[key].change}")
        first = self.notifications[arrivals[0][0]] if arrivals else None
        self.firsts.append((visit.opened, first))

    def wrong(self, arrivals):
        """Returns the index of the first push that is in another form or out of order, and that of the one
        which should not have come before it."""
        last = {}
        for index, (key, is_visible) in enumerate(arrivals):
            notification = self.notifications[key]
            if is_visible == notification.is_silent:
                return [index]
            place, previous = last.get(key[0], (-1, None))
            if notification.place <= place:
                return [index, previous]
            last[key[0]] = notification.place, index
        return []

    def fate(self, notification):
        """Whether a push arrived, or the rule by which it need not; "missing" if there is none."""
        if notification.key in self.seen:
            return "arrived"
        if notification.change.device is self.device:
            return "own"
        if notification.change.began < self.firsts[0][0]:
            return "early"
        if notification.is_silent:
            if self.newest.get((notification.scope, notification.subscription), -1) > notification.place:
                return "coalesced"
        for opened, first in self.firsts[1:]:
            if first and notification.change.began < opened and not first.is_surely_before(notification):
                return "replaced"
        return "missing"
