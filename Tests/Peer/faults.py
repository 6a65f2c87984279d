"""Faults: what is to go wrong with which request."""

import threading

from evernote.edam.error.ttypes import EDAMErrorCode

# What each action takes beside `method`, `action`, `times` and `skip`.
ACTIONS = {
    "drop_before_read": {"rst"},
    "drop_mid_body": {"bytes", "rst"},
    "drop_after_commit": {"rst"},
    "commit_after": {"seconds", "rst"},
    "delay": {"seconds", "after"},
    "http": {"status", "retry_after", "body", "type", "close", "early", "linger"},
    "system": {"code", "message", "rateLimitDuration"},
    "user": {"code", "parameter"},
    "notfound": {"identifier", "key"},
    "app_exception": set(),
    "garbage": {"bytes"},
    "truncate": {"bytes"},
    "slow_drip": {"bytes", "seconds"},
    "throttle": {"bytes_per_second"},
    "wrong_seqid": set(),
    "wrong_name": set(),
}
NEEDED = {"http": "status", "system": "code", "user": "code", "throttle": "bytes_per_second"}
WORDS = {"method", "action", "retry_after", "code", "message", "parameter", "identifier", "key", "body", "type"}


class BadFault(ValueError):
    """A fault that nobody can carry out, in words."""


def check(fault):
    """Returns a copy with an error's name turned into its code."""
    if not isinstance(fault, dict):
        raise BadFault(f"{fault!r} is no fault: a fault is an object")
    action = fault.get("action")
    if action not in ACTIONS:
        raise BadFault(f"{action!r} is no action: take one of {', '.join(sorted(ACTIONS))}")
    unknown = set(fault) - {"method", "action", "times", "skip"} - ACTIONS[action]
    if unknown:
        raise BadFault(f"{action} takes no {', '.join(sorted(unknown))}")
    if action in NEEDED and NEEDED[action] not in fault:
        raise BadFault(f"{action} needs {NEEDED[action]}")
    for name, value in fault.items():
        if name not in WORDS and (not isinstance(value, (int, float)) or value < 0):
            raise BadFault(f"{name} of {action} is {value!r}, which is no number from 0")
    checked = dict(fault)
    if "code" in fault:
        try:
            checked["code"] = EDAMErrorCode[fault["code"]] if isinstance(fault["code"], str) \
                else EDAMErrorCode(fault["code"])
        except (KeyError, ValueError):
            raise BadFault(f"{fault['code']!r} is no error code of the interface") from None
    return checked


class Faults:
    """Those that are left. Each request takes the first that is meant for its method."""

    def __init__(self):
        self.lock = threading.Lock()
        self.entries = []  # [as it was given, as it was checked, how many more times, how many pass before]

    def add(self, faults, replace=False):
        """- raises BadFault: and adds none of them then."""
        if not isinstance(faults, list):
            faults = [faults]
        fresh = [[fault, check(fault), int(fault.get("times", 1)), int(fault.get("skip", 0))] for fault in faults]
        with self.lock:
            self.entries = ([] if replace else self.entries) + fresh

    def take(self, method):
        """The fault for a request, or none."""
        with self.lock:
            for entry in self.entries:
                if entry[1].get("method", "*") not in ("*", method):
                    continue
                if entry[3] > 0:
                    entry[3] -= 1
                    continue
                entry[2] -= 1
                if entry[2] <= 0:
                    self.entries.remove(entry)
                return entry[1]
        return None

    def left(self):
        with self.lock:
            return [entry[0] for entry in self.entries]
