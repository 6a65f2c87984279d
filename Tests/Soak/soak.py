#!/usr/bin/env python3
"""kill -9 at any place, and a fault of the service in every third run: nothing is lost, and nothing is there twice.

    .build/peer/bin/python Tests/Soak/soak.py [--runs 1000] [--seed N] [--only RUN] [--threads 4] PROGRAM

Each run has a home folder, photos and an account of its own. It imports and sends, is killed on the way, is started again
until the program says that all is done, and is then judged: drafts, memos and photos in the store, its blobs, the notes at
the service. The same seed makes the same plans; the moments are those of the machine. Exit status: 0; 1 where a run went
wrong, or, from 1,000 runs on, a place was met fewer than 30 times."""

import argparse
import collections
import logging
import pathlib
import random
import sys
import tempfile
import threading
import time

from places import Watched
from run import COUNTED, Run

ENOUGH = 30


def options():
    parser = argparse.ArgumentParser(description="Kills the program at any place, and starts it again.")
    add = parser.add_argument
    add("program", type=pathlib.Path, help="evergear, as it was built")
    add("--runs", type=int, default=1000)
    add("--seed", type=int, default=None)
    add("--only", type=int, help="this run alone, of those that the seed makes")
    add("--threads", type=int, default=4)
    return parser.parse_args()


class Soak:
    def __init__(self, chosen):
        self.program = chosen.program.resolve()
        self.seed = random.randrange(1_000_000) if chosen.seed is None else chosen.seed
        self.numbers = iter([chosen.only] if chosen.only is not None else range(chosen.runs))
        self.lock = threading.Lock()
        self.kills, self.missed = collections.Counter(), 0
        self.done = self.faults = self.wrong = 0
        self.begin = time.monotonic()
        photos = pathlib.Path(__file__).resolve().parent.parent.parent / "fixtures/photos"
        # Those that are whole, and each picture once.
        self.photos = sorted({path.read_bytes() for path in photos.glob("*/IMG_04[0-9][0-9].JPG")} - {b""})
        self.keep = tempfile.mkdtemp(prefix="evergear-soak-")

    def work(self):
        service = Watched()
        while True:
            with self.lock:
                number = next(self.numbers, None)
            if number is None:
                return
            run = Run(number, random.Random(f"{self.seed} {number}"), self.program, service, self.photos, self.keep)
            try:
                wrongs = run.go()
            except Exception as error:  # whatever it is, it names the run
                wrongs = [f"{type(error).__name__}: {error}"]
            with self.lock:
                self.tell(run, wrongs)

    def tell(self, run, wrongs):
        self.done += 1
        self.faults += run.fault is not None
        self.kills.update(fell for _, fell in run.kills)
        if wrongs:
            self.wrong += 1
            print(f"run {run.number} of seed {self.seed}: {'; '.join(wrongs)}\n    " + "\n    ".join(run.log)
                  + f"\n    fault: {run.fault}\n    kept in {run.home}", flush=True)
        else:
            run.clean()
        if self.done % 100 == 0:
            print(f"{self.done} runs, {sum(self.kills.values())} kills, {self.wrong} wrong, "
                  f"{time.monotonic() - self.begin:.0f} s", flush=True)

    def report(self):
        """Prints the figures. Returns the exit status."""
        print(f"seed {self.seed}: {self.done} runs, {self.faults} of them with a fault, {sum(self.kills.values())} kills, "
              f"{self.wrong} wrong, {time.monotonic() - self.begin:.0f} s")
        others = [place for place in sorted(self.kills) if place not in COUNTED]
        for place in (*COUNTED, *others):
            print(f"  {self.kills[place]:6}  {place}")
        scarce = [place for place in COUNTED if self.kills[place] < ENOUGH] if self.done >= 1000 else []
        if scarce:
            print(f"fewer than {ENOUGH} kills: {', '.join(scarce)}")
        return 1 if self.wrong or scarce else 0


def main():
    chosen = options()
    logging.disable(logging.CRITICAL)  # the generated code reports refusals as if they were its own mistakes
    soak = Soak(chosen)
    threads = [threading.Thread(target=soak.work) for _ in range(max(1, chosen.threads))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.exit(soak.report())


if __name__ == "__main__":
    main()
