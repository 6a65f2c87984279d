"""What the service counts, for /_peer/stats."""

import collections
import contextlib
import threading


class Figures:
    def __init__(self):
        self.lock = threading.Lock()
        self.requests = collections.Counter()
        self.results = collections.Counter()
        self.agents = collections.Counter()
        self.types = collections.Counter()
        self.sums = collections.Counter(connections=0, malformed=0, bytes_received=0, bytes_sent=0)
        self.peaks = collections.Counter()
        self.active = collections.Counter()
        self.warnings = []
        self.faults_used = []

    def add(self, name, amount=1):
        with self.lock:
            self.sums[name] += amount

    def request(self, method, agent, kind):
        with self.lock:
            self.requests[method] += 1
            self.agents[agent or ""] += 1
            self.types[kind or ""] += 1

    def result(self, text):
        with self.lock:
            self.results[text] += 1

    def warn(self, text):
        with self.lock:
            self.warnings.append(text)

    def fault(self, method, action):
        with self.lock:
            self.faults_used.append({"method": method, "action": action})

    @contextlib.contextmanager
    def working(self, method):
        """Counts a request as long as the block runs."""
        with self.lock:
            for name in ("", method):
                self.active[name] += 1
                self.peaks[name] = max(self.peaks[name], self.active[name])
        try:
            yield
        finally:
            with self.lock:
                for name in ("", method):
                    self.active[name] -= 1

    def to_json(self):
        with self.lock:
            return {
                "requests": dict(self.requests), "results": dict(self.results), "agents": dict(self.agents),
                "types": dict(self.types), **self.sums, "warnings": list(self.warnings),
                "active": self.active[""], "peak_concurrent": self.peaks[""],
                "peak_concurrent_createNote": self.peaks["createNote"], "faults_used": list(self.faults_used),
            }
