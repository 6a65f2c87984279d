#!/usr/bin/env python3
"""A service that the tests send notes to: Evernote's interface, decoded by its official generated code.

Prints one line of JSON (url, userStore, noteStore, token, ca, store, pid) and serves until SIGTERM, SIGINT or
POST /_peer/shutdown. See README.md beside it."""

import argparse
import json
import logging
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import threading

try:
    import evernote.edam.notestore.NoteStore  # noqa: F401
except ImportError as error:
    sys.exit(f"service.py: {error.name} is missing. `make test` installs what Tests/Peer/requirements.txt names")

from account import Account
from enml import DocumentType
from exchange import Service
from faults import BadFault
from rules import Limits
from store import Store

TOKEN = "S=s1:U=7:E=fffffffffff:C=18f00000000:P=1cd:A=evergear-tests:V=2:H=0123456789abcdef0123456789abcdef"


def options(arguments):
    parser = argparse.ArgumentParser(description="A service that the tests send notes to.")
    add = parser.add_argument
    add("--host", default="127.0.0.1")
    add("--port", type=int, default=0, help="default: any that is free")
    add("--tls", action="store_true", help="HTTPS, with a certificate made now")
    add("--tls-name", action="append", default=[], metavar="NAME", help="a further name in the certificate")
    add("--public-url", metavar="URL", help="the address that clients are told")
    add("--store", metavar="DIR", help="keep notes there, and take those that are there")
    add("--dtd", metavar="FILE", help="enml2.dtd, to judge content by")
    add("--account", choices=("free", "paid"), default="paid")
    for name in ("quota", "note-size-max", "resource-size-max", "resources-max", "content-len-max", "notes-max",
                 "tags-max"):
        add(f"--{name}", type=int, metavar="N")
    add("--token", default=TOKEN)
    add("--expired-token", metavar="T")
    add("--readonly-token", metavar="T")
    add("--faults", metavar="FILE", help="a JSON list of faults to begin with")
    add("--throttle", type=float, metavar="B", help="read every request at so many bytes a second")
    add("--capture", metavar="DIR", help="keep the last reply of each method as METHOD.reply")
    add("--search-lag", type=float, default=0, metavar="SECONDS", help="a note is not found by a search before")
    return parser.parse_args(arguments)


def certificate(folder, names):
    """Paths of a certificate and its key; those that are there already serve on, so that clients still trust them."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if not certificate.exists():
        names = ",".join(["IP:127.0.0.1", *(f"DNS:{name}" for name in ["localhost", *names])])
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", certificate, "-days", "30", "-subj", "/CN=localhost",
             "-addext", f"subjectAltName={names}"], check=True, capture_output=True)
    return certificate, key


def main():
    chosen = options(sys.argv[1:])
    logging.disable(logging.CRITICAL)  # the generated code reports refusals as if they were its own mistakes
    temporary = tempfile.TemporaryDirectory(prefix="evergear-peer-")
    folder = pathlib.Path(chosen.store or temporary.name).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    tls, ca = None, None
    if chosen.tls:
        try:
            ca, key = certificate(folder, chosen.tls_name)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"service.py: openssl made no certificate: {error}")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(ca, key)
    if chosen.capture:
        os.makedirs(chosen.capture, exist_ok=True)
    try:
        service = Service((chosen.host, chosen.port), tls, chosen.throttle, chosen.capture)
    except OSError as error:
        sys.exit(f"service.py: port {chosen.port} of {chosen.host} is not to be had: {error}")

    url = chosen.public_url or f"http://{chosen.host}:{service.server_port}"
    if tls and not chosen.public_url:
        url = f"https://localhost:{service.server_port}"
    urls = {"url": url, "userStore": f"{url}/edam/user", "noteStore": f"{url}/edam/note/s1"}
    limits = Limits.of(chosen.account)
    for name, value in (("upload", chosen.quota), ("note_size", chosen.note_size_max),
                        ("resource_size", chosen.resource_size_max), ("resources", chosen.resources_max),
                        ("content", chosen.content_len_max), ("notes", chosen.notes_max), ("tags", chosen.tags_max)):
        if value is not None:
            setattr(limits, name, value)
    service.account = Account(
        limits, chosen.token, Store(chosen.store), urls, DocumentType(chosen.dtd) if chosen.dtd else None,
        chosen.expired_token, chosen.readonly_token, chosen.search_lag)
    if chosen.faults:
        try:
            service.faults.add(json.loads(pathlib.Path(chosen.faults).read_text()))
        except (OSError, BadFault, json.JSONDecodeError) as error:
            print(f"service.py: {chosen.faults}: {error}", file=sys.stderr)
            sys.exit(2)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=service.shutdown).start())
    print(json.dumps({**urls, "token": chosen.token, "ca": str(ca) if ca else None, "store": chosen.store,
                      "pid": os.getpid()}), flush=True)
    service.serve_forever(poll_interval=0.05)
    service.socket.close()  # not server_close: it would wait for connections that clients keep open


if __name__ == "__main__":
    main()
