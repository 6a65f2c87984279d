"""A service that kills its client at the places where it can see it, and what it saw of each request that writes."""

import os
import pathlib
import random
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Peer"))

import service as program  # noqa: E402
from account import Account  # noqa: E402
from exchange import Exchange, Gone, Service  # noqa: E402
from rules import Limits  # noqa: E402
from store import Store  # noqa: E402

WRITES = ("createNote", "updateNoteIfUsnMatches")


class Watched(Service):
    """An account in memory, whose client can be killed from inside."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0))
        self.RequestHandlerClass = WatchedExchange
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.token = program.TOKEN
        urls = {"url": self.url, "userStore": f"{self.url}/edam/user", "noteStore": f"{self.url}/edam/note/s1"}
        self.account = Account(Limits.of("paid"), self.token, Store(), urls)
        self.watch = Watch()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def server_bind(self):
        # Small buffers, as a real line has: what the program has written and nobody read is little.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
        super().server_bind()

    def begin(self):
        """An empty account, for the next run."""
        self.reset()
        self.watch = Watch()

    def settle(self):
        """Waits until every request that a dead client left is over, and all that comes late has come."""
        until = time.monotonic() + 120
        while (self.figures.active[""] or self.pending) and time.monotonic() < until:
            time.sleep(0.002)


class Write:
    """A request that makes or changes a note."""

    def __init__(self, name):
        self.name = name
        self.is_whole = self.is_answered = False
        self.was_answered = False  # when the client was killed


class Watch:
    """One process of the program, as the service sees it."""

    def __init__(self, place=None, dice=random):
        self.place, self.dice = place, dice
        self.left = dice.choice((0, 0, 1, 2)) if place in ("mid-body", "sent, not answered", "between steps") else 0
        self.lock = threading.Lock()
        self.begin = time.time()
        self.process = None
        self.writes = []
        self.is_dead = self.was_advised = False

    def kill(self, pause=0.0):
        """Ends the process at once, and keeps what the service had seen by then."""
        if pause:
            time.sleep(pause)
        with self.lock:
            if self.is_dead or self.process is None or self.process.poll() is not None:
                return
            os.kill(self.process.pid, signal.SIGKILL)
            self.is_dead = True
            for write in self.writes:
                write.was_answered = write.is_answered

    def reaches(self, place):
        """Whether the client is to be killed here and now."""
        if self.place != place or self.is_dead:
            return False
        self.left -= 1
        return self.left < 0

    def heard(self, name):
        """A call was answered that writes nothing."""
        if name == "findNotesMetadata":
            self.was_advised = True
            if self.reaches("render"):
                self.kill(self.dice.uniform(0, 0.06))
        # Of `queue run`: the job is in hand before the account is asked how it stands.
        if name in ("getUser", "getUserUrls", "getSyncState") and self.reaches("claim"):
            self.kill(self.dice.uniform(0, 0.004))


class WatchedExchange(Exchange):
    write_seen = None

    def carry_out(self, store, name, fault, head, length):
        watch = self.server.watch
        self.watch, self.call_name = watch, name
        self.write_seen = Write(name) if name in WRITES else None
        if self.write_seen:
            watch.writes.append(self.write_seen)
        super().carry_out(store, name, fault, head, length)

    def read(self, count, speed=None):
        seen = self.write_seen
        if seen is None or seen.is_whole:
            return super().read(count, speed)
        part = b""
        if self.watch.reaches("mid-body"):
            part = super().read(int(count * self.watch.dice.random()), speed)
            self.watch.kill()
        rest = super().read(count - len(part), speed)
        seen.is_whole = True
        if self.watch.reaches("sent, not answered"):
            self.watch.kill(self.watch.dice.choice((0, 0.002)))
        return part + rest

    def reply(self, status, content, kind="text/plain", headers={}, close=False):
        name, seen, watch = getattr(self, "call_name", None), self.write_seen, getattr(self, "watch", None)
        self.call_name = self.write_seen = None
        if seen and watch.reaches("sent, not answered"):
            watch.kill()  # done and kept, and nobody told
        try:
            super().reply(status, content, kind, headers, close)
        except OSError:
            raise Gone from None
        if seen:
            seen.is_answered = True
            if watch.reaches("answered, not committed"):
                watch.kill(watch.dice.choice((0, 0, 0.0005, 0.001, 0.002)))
            elif watch.reaches("between steps"):
                watch.kill(watch.dice.choice((0, 0.001, 0.003, 0.006)))
        elif name and watch:
            watch.heard(name)
