#!/usr/bin/env python3
"""Reads an account back through evernote-backup, a client that is not evergear's, into ENEX files.

    read_back.py ADDRESS TOKEN FOLDER [--ca FILE]

ADDRESS is that of a running service (https://localhost:PORT). The client knows no other host than Evernote's own, so it
runs where those names mean a loopback address, at which we hand its connections on to the service. Only the client
sees that: it needs root and a mount namespace. requirements.txt beside us names the client.

Status 0: FOLDER has one ENEX file for each notebook. 1: it has not, and why is said.
"""

import argparse
import asyncio
import contextlib
import os
import pathlib
import random
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.parse

NAMES = ["www.evernote.com", "api.evernote.com", "accounts.evernote.com"]
INSIDE = "--inside"  # the namespace: we start ourselves again in it


def fail(text):
    sys.exit(f"read_back.py: {text}")


def client():
    beside = pathlib.Path(sys.executable).with_name("evernote-backup")
    return str(beside) if beside.exists() else shutil.which("evernote-backup") or fail(
        "evernote-backup is missing: acceptance/requirements.txt names it")


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        fail(f"{' '.join(map(str, command[:2]))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def certificate(folder):
    """A certificate for the names, and its key."""
    names = ",".join(f"DNS:{name}" for name in NAMES)
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", folder / "certificate.pem", "-subj", "/CN=www.evernote.com",
         "-addext", f"subjectAltName={names}"])
    return folder / "certificate.pem", folder / "key.pem"


async def hand_on(reader, writer):
    """Bytes from one connection to another until the first ends."""
    with contextlib.suppress(OSError):
        while piece := await reader.read(1 << 16):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def read_back(address, token, target, ca):
    """In the namespace."""
    program = client()
    trust = ssl.create_default_context(cafile=ca) if address.scheme == "https" else None

    async def connect(reader, writer):
        try:
            far = await asyncio.open_connection(address.hostname, address.port, ssl=trust)
        except OSError:
            return writer.close()
        await asyncio.gather(hand_on(reader, far[1]), hand_on(far[0], writer))

    with tempfile.TemporaryDirectory(prefix="evergear-read-back-") as name:
        folder = pathlib.Path(name)
        chain, key = certificate(folder)
        identity = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        identity.load_cert_chain(chain, key)
        # Any address of the loopback network, so that two of us do not meet.
        host = ".".join(["127", *(str(random.randint(1, 250)) for _ in range(3))])
        await asyncio.start_server(connect, host, 443, ssl=identity)

        (folder / "hosts").write_text(f"127.0.0.1 localhost\n{host} {' '.join(NAMES)}\n")
        run(["mount", "--bind", folder / "hosts", "/etc/hosts"])
        trusted = {"SSL_CERT_FILE": str(chain), "REQUESTS_CA_BUNDLE": str(chain)}
        surroundings = {"PATH": "/usr/bin:/bin", "HOME": name, "LANG": "C.UTF-8", **trusted}
        for step in (["init-db", "--token", token, "--use-system-ssl-ca", "--network-retry-count", "3"],
                     ["sync", "--use-system-ssl-ca", "--network-retry-count", "3"],
                     ["export", str(target), "--overwrite"]):
            command = [program, step[0], "--database", folder / "notes.db", *step[1:]]
            await asyncio.to_thread(run, command, env=surroundings, timeout=600)


def main():
    parser = argparse.ArgumentParser(description="Reads an account back through evernote-backup into ENEX files.")
    parser.add_argument("address")
    parser.add_argument("token")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ca", type=pathlib.Path, help="the certificate that the service is trusted by")
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    target = chosen.folder.absolute()
    target.mkdir(parents=True, exist_ok=True)
    if chosen.inside:
        return asyncio.run(read_back(urllib.parse.urlsplit(chosen.address), chosen.token, target, chosen.ca))
    try:
        tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, text=True)
    except OSError as error:
        fail(f"unshare does not run: {error}")
    if os.geteuid() or tried.returncode:
        fail(f"this needs root and a mount namespace of its own: {tried.stderr.strip() or 'we are not root'}")
    sys.exit(subprocess.run(["unshare", "--mount", sys.executable, __file__, *sys.argv[1:], INSIDE]).returncode)


if __name__ == "__main__":
    main()
