"""The processes of the tests of several nodes: nodes, database engines and the object store."""
import http.client
import os
import pathlib
import shutil
import signal
import subprocess
import threading

from world import PATIENCE, Fault, wait_for


class Engine:
    """A PostgreSQL server in a folder of its own. Its port only names its socket."""

    programs = pathlib.Path(os.environ["CLOUDLET_POSTGRESQL_PROGRAMS"])

    def __init__(self, folder, port):
        self.sockets, self.port, self.data = folder / "sockets", port, folder / f"engine{port}"
        self.data.mkdir(mode=0o700)
        if os.getuid() == 0:
            shutil.chown(self.data, "postgres", "postgres")

    def run(self, program, *arguments):
        # The server refuses to run as root.
        as_server = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        done = subprocess.run(
            [*as_server, self.programs / program, *arguments], cwd="/", text=True, timeout=PATIENCE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Fault(f"{program} of the engine {self.port} failed: {done.stdout}")

    def create(self):
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C",
                 "--encoding=UTF8")
        # Without fsync, nothing is lost when a process is killed: the system has what was written.
        with open(self.data / "postgresql.conf", "a") as settings:
            settings.write(f"""
                listen_addresses = ''
                unix_socket_directories = '{self.sockets}'
                dynamic_shared_memory_type = mmap
                fsync = off
                synchronous_commit = on
                synchronous_standby_names = 'standby'
                max_connections = 120
                wal_keep_size = 512MB
                """)

    def start(self):
        log = self.sockets / f"log{self.port}"
        self.run("pg_ctl", "start", "-D", self.data, "-w", "-s", "-l", log, "-o", f"-p {self.port}")

    def sql(self, text):
        """Runs statements that wait for no standby."""
        command = [self.programs / "psql", "-h", self.sockets, "-p", str(self.port), "-U", "postgres", "-At",
                   "-v", "ON_ERROR_STOP=1", "postgres"]
        done = subprocess.run(
            command, input=text, text=True, check=True, timeout=PATIENCE, stdout=subprocess.PIPE,
            env=dict(os.environ, PGOPTIONS="-c synchronous_commit=local"))
        return done.stdout.strip()

    def follow(self, primary):
        """Becomes the standby of another engine, with a new copy of its data."""
        for path in self.data.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        source = f"host={self.sockets} port={primary.port} user=postgres application_name="
        self.run("pg_basebackup", "-D", self.data, "-d", source + "copy", "-c", "fast", "-X", "stream",
                 "--no-sync")
        with open(self.data / "postgresql.auto.conf", "a") as settings:
            settings.write(f"primary_conninfo = '{source}standby'\n")
        (self.data / "standby.signal").touch()
        self.start()

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.data, "-w", "-s")

    def await_standby(self):
        state = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        wait_for(lambda: self.sql(state) == "sync", "the standby")

    def kill(self):
        """Kills all processes at once."""
        file = self.data / "postmaster.pid"
        if not file.exists():
            return
        lines = file.read_text().split("\n")
        kill_all([int(lines[0]), *children(int(lines[0]))])
        # Nobody else removes the shared memory of a server that never starts again.
        subprocess.run(["ipcrm", "-m", lines[6].split()[1]], stderr=subprocess.DEVNULL)
        # A killed process has its number until its parent has waited for it. A server would refuse to start.
        file.unlink()
        (self.sockets / f".s.PGSQL.{self.port}.lock").unlink()


class ObjectStore:
    """The object store that `Tests/objectstorage --serve` started."""

    def __init__(self):
        self.process = int(os.environ["CLOUDLET_OBJECT_STORE_PROCESS"])
        self.address = os.environ["CLOUDLET_OBJECT_STORE_ENDPOINT"].removeprefix("http://")
        self.started = None

    def kill(self):
        kill_all([self.process])
        if self.started:
            self.started.wait()

    def start(self):
        self.started = subprocess.Popen([os.environ["CLOUDLET_OBJECT_STORE_PROGRAM"]])
        self.process = self.started.pid
        wait_for(self.answers, "the object store")

    def answers(self):
        connection = http.client.HTTPConnection(self.address, timeout=5)
        try:
            # A request without keys is refused, which shows that the store knows its keys.
            connection.request("GET", "/cloudlet-tests")
            return connection.getresponse().status == 403
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class Node:
    """A server. Without the address of a bucket, it keeps files in its folder."""

    def __init__(self, world, folder, name, database, bucket=None):
        self.world, self.folder, self.name, self.database = world, folder, name, database
        self.bucket, self.process = bucket, None

    def start(self):
        command = [
            os.environ["CLOUDLET_PROGRAM"], "serve", "--port", "0", "--open", "--no-request-limits",
            "--data", self.folder / self.name, "--database", self.database]
        if self.bucket:
            command += ["--assets", self.bucket]
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder)
        impatience = threading.Timer(PATIENCE, self.process.kill)
        impatience.start()
        url = self.process.stdout.readline().decode().strip()
        is_ready = self.process.stdout.readline()
        impatience.cancel()
        if not is_ready:
            raise Fault(f"{self.name} does not start")
        self.world.addresses[self.name] = url.removeprefix("http://")

    def kill(self):
        if self.process is None:
            return
        self.process.kill()
        self.world.addresses.pop(self.name, None)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """Stops it as an operator does: it answers the requests in progress first."""
        self.world.addresses.pop(self.name, None)
        self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Fault(f"{self.name} has not stopped {PATIENCE} s after SIGTERM")
        self.process.stdout.close()
        if status:
            raise Fault(f"{self.name} stopped with the status {status}")


class Cluster:
    """Three nodes, a primary and its standby, and the object store."""

    def __init__(self, world, folder):
        (folder / "sockets").mkdir()
        os.chmod(folder, 0o755)
        os.chmod(folder / "sockets", 0o777)
        # The primary is the first.
        self.engines = [Engine(folder, port) for port in (5001, 5002)]
        self.store = ObjectStore()
        sockets = str(folder / "sockets").replace("/", "%2F")
        database = (f"postgresql:///cloudlet?user=cloudlet&host={sockets},{sockets}&port=5001,5002"
                    "&target_session_attrs=read-write")
        bucket = os.environ["CLOUDLET_OBJECT_STORE"]
        self.nodes = [Node(world, folder, name, database, bucket) for name in ("node1", "node2", "node3")]

    def start(self):
        primary, standby = self.engines
        primary.create()
        primary.start()
        primary.sql("CREATE ROLE cloudlet LOGIN; CREATE DATABASE cloudlet OWNER cloudlet;")
        standby.follow(primary)
        primary.await_standby()
        for node in self.nodes:
            node.start()

    def round(self, numbers):
        """Kills something, and starts it again. Returns what it killed."""
        kinds = [["node"], ["node", "node"], ["primary"], ["primary", "node"], ["standby"], ["object store"],
                 ["object store", "node"]]
        victims = numbers.choices(kinds, [8, 2, 5, 3, 1, 2, 1])[0]
        nodes = numbers.sample(self.nodes, victims.count("node"))
        primary, standby = self.engines
        if "primary" in victims:
            primary.kill()
        if "object store" in victims:
            self.store.kill()
        for node in nodes:
            node.kill()
        if "primary" in victims:
            standby.promote()
            self.engines = [standby, primary]
            primary.follow(standby)
        if "standby" in victims:
            standby.kill()
            standby.start()
        if "object store" in victims:
            self.store.start()
        self.engines[0].await_standby()
        for node in nodes:
            node.start()
        return " and ".join([kind for kind in victims if kind != "node"] + [node.name for node in nodes])

    def stop(self):
        for process in [*self.nodes, *self.engines]:
            process.kill()
        if self.store.started:
            self.store.kill()


def status(process):
    """The fields of a process from its state on; None if it is gone."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def children(process):
    others = [(int(name), status(name)) for name in os.listdir("/proc") if name.isdigit()]
    return [other for other, fields in others if fields and int(fields[1]) == process]


def kill_all(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_for(lambda: not any(is_running(process) for process in processes), "the end of killed processes")


def is_running(process):
    fields = status(process)
    return fields is not None and fields[0] != "Z"
