"""What the threads of a test share: the requests, the faults, and the counts."""
import http.client
import json
import threading
import time
import traceback
import urllib.parse

# The seconds after which something that does not happen is a fault.
PATIENCE = 120


class Fault(Exception):
    """Something that must not happen."""


class World:
    """With `waits`, a request to a node that does not run waits until it does."""

    def __init__(self, *counts, waits=True):
        self.waits = waits
        self.lock, self.faults, self.is_over = threading.Lock(), [], threading.Event()
        # The addresses of the nodes that run.
        self.addresses = {}
        self.count = dict.fromkeys(counts, 0)

    def add(self, name):
        with self.lock:
            self.count[name] += 1

    def fail(self, error):
        with self.lock:
            self.faults.append(str(error) if isinstance(error, Fault) else traceback.format_exc())
        self.is_over.set()

    def run(self, body):
        """Starts a thread that calls a function again and again until the end."""
        def repeat():
            try:
                while not self.is_over.is_set():
                    body()
            except Exception as error:
                self.fail(error)
        thread = threading.Thread(target=repeat, daemon=True)
        thread.start()
        return thread

    def call(self, node, path, body, headers={}):
        """Sends a request to a node. Returns the answer; None if there was none."""
        while (address := self.addresses.get(node)) is None:
            if self.is_over.is_set() or not self.waits:
                return None
            time.sleep(0.02)
        answer = self.send("POST", f"http://{address}{path}", json.dumps(body), headers)
        try:
            return answer and json.loads(answer[1])
        except json.JSONDecodeError:
            raise Fault(f"{node} answered {path} with the status {answer[0]} and {answer[1][:200]}")

    def send(self, method, url, body=None, headers={}):
        """Returns the status and the body of the answer; None if it did not come, or not completely."""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
        try:
            connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            raise Fault(f"no answer to {method} {url} for {PATIENCE} s")
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise Fault(f"waited {PATIENCE} s for {what}")
        time.sleep(0.02)
