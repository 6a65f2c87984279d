"""One run: photos are imported and sent, the program is killed on the way, and started again until all is done."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from places import Watch
from verdict import Snapshot, wrongs

# Where a kill may be wanted. It falls where it falls: what counts is told afterwards, by what store and service have.
OF_IMPORT = ("copy", "commit", "anywhere")
OF_SENDING = ("render", "claim", "mid-body", "sent, not answered", "answered, not committed", "between steps", "anywhere")
COUNTED = ("copy", "commit", "claim", "render", "mid-body", "sent, not answered", "answered, not committed",
           "between steps")

FAULTS = (
    {"action": "drop_before_read"}, {"action": "drop_mid_body", "bytes": 20_000}, {"action": "drop_mid_body", "rst": 1},
    {"action": "drop_after_commit"}, {"action": "drop_after_commit", "rst": 1}, {"action": "commit_after", "seconds": 0.3},
    {"action": "delay", "seconds": 0.2}, {"action": "delay", "seconds": 0, "after": 0.2},
    {"action": "http", "status": 500}, {"action": "http", "status": 503, "retry_after": 1},
    {"action": "http", "status": 503, "early": 1}, {"action": "garbage"}, {"action": "truncate"},
    {"action": "slow_drip", "seconds": 0.001}, {"action": "throttle", "bytes_per_second": 400_000},
    {"action": "wrong_seqid"}, {"action": "wrong_name"}, {"action": "app_exception"},
    {"action": "system", "code": "INTERNAL_ERROR"}, {"action": "system", "code": "SHARD_UNAVAILABLE"},
    {"action": "system", "code": "RATE_LIMIT_REACHED", "rateLimitDuration": 1},
    {"action": "user", "code": "AUTH_EXPIRED", "parameter": "authenticationToken"},
)
STRUCK = ("createNote", "createNote", "updateNoteIfUsnMatches", "findNotesMetadata", "getNote", "getSyncState")


def files(folder):
    """Those in the folders of a folder, which the program may be taking away at this moment."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                found += os.listdir(folder / name)
    return found


class Failed(Exception):
    """The run did not end as it should."""


class Run:
    def __init__(self, number, dice, program, service, photos, keep):
        self.number, self.dice, self.program, self.service = number, dice, program, service
        self.kills, self.log, self.fault = [], [], None
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="evergear-soak-", dir=keep))
        self.photos = self.take(photos)
        self.is_stepped = dice.random() < 0.5
        self.layout = dice.choice(("full", "full", "thumbs+full"))
        # The last look is later than whatever a killed request leaves to come (`settle`).
        self.environment = {
            "EVERGEAR_HOME": str(self.home / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
            "EVERGEAR_TO": "evernote", "EVERGEAR_SERVICE": service.url, "EVERGEAR_TOKEN": service.token,
            "EVERGEAR_RETRY_BASE": "0.05", "EVERGEAR_LOOK_AGAIN": "1.5",
            "EVERGEAR_TRANSFERS": str(dice.choice((1, 1, 1, 2))),
            "EVERGEAR_STEP_THRESHOLD": "100000" if self.is_stepped else "33554432",
        }

    def take(self, photos):
        """Folders with photos of their own: each a draft. Returns the bytes of each folder's files."""
        folders = {}
        for index in range(self.dice.choice((1, 1, 2, 3))):
            name = f"Folder {index}"
            (self.home / name).mkdir()
            files = []
            for number, photo in enumerate(self.dice.sample(photos, self.dice.randint(1, 5))):
                # Bytes behind the end of a JPEG make another file of the same picture.
                size = self.dice.choice((0, 0, 0, 30_000, 400_000))
                content = photo + f"{self.number} {index} {number} ".encode() + self.dice.randbytes(size)
                (self.home / name / f"IMG_{number}.jpg").write_bytes(content)
                files.append(content)
            folders[name] = files
        return folders

    # The program

    def start(self, arguments, watch):
        self.service.watch = watch
        with open(self.home / "said", "ab") as said:
            said.write(f"\n$ evergear {' '.join(arguments)}\n".encode())
            said.flush()
            watch.process = subprocess.Popen(
                [self.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                cwd=self.home)
        return watch.process

    def run(self, *arguments, place=None, input=None):
        """Runs the program; where a place is named, tries to kill it there. Returns its status, -9 for killed."""
        watch = Watch(place, self.dice)
        begin = time.monotonic()
        if input is not None:
            status = subprocess.run(
                [self.program, *arguments], env=self.environment, input=input.encode(), capture_output=True,
                timeout=300).returncode
        else:
            process = self.start(arguments, watch)
            if place in ("copy", "commit", "anywhere"):
                self.ambush(process, watch, place, arguments[0])
            try:
                status = process.wait(timeout=300)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Failed(f"{' '.join(arguments)} did not end within five minutes") from None
        fell = None
        if watch.is_dead and status == -9:
            self.service.settle()
            fell = self.where(arguments[0], watch)
            self.kills.append((place, fell))
        self.log.append(f"{' '.join(arguments)}: {status}" + (f" killed at {fell}" if fell else ""))
        self.took = time.monotonic() - begin
        return status

    def ambush(self, process, watch, place, command):
        """Kills at a moment that no request marks."""
        if place == "anywhere":
            until = time.monotonic() + self.dice.uniform(0, 0.15 if command == "import" else 0.4)
            while process.poll() is None and time.monotonic() < until:
                time.sleep(0.001)
            return watch.kill()
        # Blobs appear one by one, and the last of them before the transaction that names them.
        wanted = len({content for files in self.photos.values() for content in files})
        wanted = wanted if place == "commit" else self.dice.randint(0, max(0, wanted - 1))
        home = self.home / "home"
        while process.poll() is None:
            if len(files(home / "blobs")) >= wanted and (wanted or files(home / "temporary")):
                return watch.kill(self.dice.choice((0, 0, 0.001, 0.003)))
            time.sleep(0.0003)

    def where(self, command, watch):
        """Where a kill fell, by what it left."""
        left = Snapshot(self.home / "home")
        if command == "import":
            wanted = {content for files in self.photos.values() for content in files}
            if left.photos == sum(map(len, self.photos.values())) or len(left.blobs) == len(wanted):
                return "commit"  # every byte is in; the transaction was not acknowledged
            return "copy" if left.blobs or left.temporaries else "start"
        # What the dead process had written may have come whole all the same.
        if any(not write.is_whole for write in watch.writes if not write.was_answered):
            return "mid-body"
        if any(not write.was_answered for write in watch.writes):
            return "sent, not answered"
        at_service = {note.attributes.sourceURL: {resource.data.bodyHash for resource in note.resources or []}
                      for note in self.service.account.notes.values()}
        # By this process, and not by one before.
        sending = [job for job in left.jobs if job[1] == "sending" and job[3] >= watch.begin]
        for uid, _, resources, _ in sending:
            there = at_service.get(f"evergear://note/{uid}")
            if watch.writes and there is not None:
                return "answered, not committed" if len(there) == resources else "between steps"
        if sending and not watch.writes:
            return "claim"
        if len(left.jobs) < len(self.photos):
            return "render" if watch.was_advised else "start"
        if left.jobs and all(job[1] == "sent" for job in left.jobs):
            return "done"
        return "elsewhere"

    # The run

    def go(self):
        """Returns what is wrong, in words."""
        self.service.begin()
        if self.number % 3 == 0:
            self.fault = {"method": self.dice.choice(STRUCK), "skip": self.dice.choice((0, 0, 1)),
                          **self.dice.choice(FAULTS)}
            self.service.faults.add([self.fault])
            # And later than what a fault leaves to come, whatever a busy machine adds to it.
            if self.fault["action"] == "commit_after":
                self.environment["EVERGEAR_LOOK_AGAIN"] = "15"
        try:
            self.bring_in()
            self.send()
        except Failed as failure:
            return [str(failure)]
        self.service.settle()
        found = wrongs(self.home / "home", self.service, self.photos)
        # The program is to find of itself what is found here.
        if not found and self.run("check") != 0:
            found.append("evergear check finds something")
        return found

    def bring_in(self):
        folders = [str(self.home / name) for name in self.photos]
        for place in self.dice.sample(OF_IMPORT, self.dice.choice((0, 1, 2))):
            self.run("import", *folders, place=place)
        if self.run("import", *folders) != 0:
            raise Failed("the import did not end well")

    def send(self):
        places = OF_SENDING if self.is_stepped else [place for place in OF_SENDING if place != "between steps"]
        for place in self.dice.sample(places, self.dice.choice((1, 2, 3))):
            if place == "claim":
                self.run("send", "-y", "--no-wait", "--layout", self.layout)
                self.run("queue", "run", place=place)
            else:
                self.run("send", "-y", "--layout", self.layout, place=place)
        for _ in range(12):
            status = self.run("send", "-y", "--layout", self.layout)
            if status == 0:
                return
            if status == 77:
                self.run("auth", "login", input=self.service.token)
            elif status != 75:
                raise Failed(f"send ended with {status}")
            self.run("queue", "run", "--wait")
        raise Failed("it came to no end")

    def clean(self):
        shutil.rmtree(self.home, ignore_errors=True)
