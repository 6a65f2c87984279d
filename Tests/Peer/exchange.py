"""One connection: requests are read, faults are carried out, replies are written."""

import contextlib
import http.server
import json
import os
import random
import socket
import struct
import sys
import threading
import time

from evernote.edam.error.ttypes import EDAMNotFoundException, EDAMSystemException, EDAMUserException
from thrift.Thrift import TApplicationException

import wire
from faults import BadFault, Faults
from figures import Figures

LONGEST = 1 << 30  # bytes of a request
HEAD = 4096  # bytes that are read before a fault is chosen: they hold the name of the method


class Service(http.server.ThreadingHTTPServer):
    """The account, what is to go wrong with it, and what was counted."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, address, tls=None, throttle=None, capture=None):
        super().__init__(address, Exchange)
        self.tls, self.throttle, self.capture = tls, throttle, capture
        self.account = None
        self.faults, self.figures = Faults(), Figures()
        self.pending = set()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def commit_later(self, seconds, work):
        """Does it in so many seconds, unless the service is reset before."""
        def run():
            if timer in self.pending:
                work()
                self.pending.discard(timer)
        timer = threading.Timer(seconds, run)
        timer.daemon = True
        self.pending.add(timer)
        timer.start()

    def reset(self):
        for timer in list(self.pending):
            timer.cancel()
        self.pending.clear()
        self.faults, self.figures = Faults(), Figures()
        self.account.reset()

    def stats(self):
        return {**self.figures.to_json(), **self.account.figures(), "faults_left": len(self.faults.left()),
                "commits_pending": len(self.pending)}


class Gone(Exception):
    """The connection is to end, or has ended, without a reply."""


class Exchange(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "evergear-peer"

    def setup(self):
        if self.server.tls:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.figures.add("connections")

    def finish(self):
        super().finish()
        if self.server.tls:  # the server closes the socket that it knows, which is not the one in use
            self.connection.close()

    def log_message(self, format, *arguments):
        pass

    def do_GET(self):
        pages = {"/_peer/notes": lambda: self.server.account.notes_to_json(), "/_peer/stats": self.server.stats,
                 "/_peer/faults": lambda: self.server.faults.left()}
        page = pages.get(self.path)
        self.reply_json(page()) if page else self.reply(404, b"no such page", close=True)

    def do_POST(self):
        path, _, query = self.path.partition("?")
        try:
            length = self.length()
            if path in wire.STORES:
                self.call(wire.STORES[path], length)
            elif path == "/_peer/faults":
                try:
                    self.server.faults.add(json.loads(self.read(length)), replace=query == "replace")
                    self.reply_json(self.server.faults.left())
                except (BadFault, json.JSONDecodeError) as error:
                    self.reply_json({"error": str(error)}, status=400)
            elif path in ("/_peer/reset", "/_peer/shutdown"):
                self.read(length)
                if path == "/_peer/reset":
                    self.server.reset()
                self.reply_json({})
                if path == "/_peer/shutdown":
                    threading.Thread(target=self.server.shutdown).start()
            else:
                self.reply(404, b"no such page", close=True)
        except wire.Malformed as error:
            self.server.figures.add("malformed")
            self.server.figures.warn(f"malformed: {error}")
            self.reply(500, b"malformed Thrift request", close=True)
        except Gone:
            self.close_connection = True

    # A call

    def call(self, store, length):
        head = self.read(min(length, HEAD))
        name = wire.method(head)
        figures = self.server.figures
        kind = self.headers.get("Content-Type")
        figures.request(name, self.headers.get("User-Agent"), kind)
        if kind != "application/x-thrift":
            figures.warn(f"{name}: the content type is {kind}")
        fault = self.server.faults.take(name) or {}
        with figures.working(name):
            if fault:
                figures.fault(name, fault["action"])
            self.carry_out(store, name, fault, head, length)

    def carry_out(self, store, name, fault, head, length):
        """The request with its fault; none of the cases is meant where the fault is empty."""
        action = fault.get("action")
        if action == "drop_before_read":
            self.drop(fault)
        if action == "drop_mid_body":
            self.read(max(0, min(length, fault.get("bytes", length // 2)) - len(head)))
            self.drop(fault)
        if action == "http" and fault.get("early"):
            return self.fail(fault, length - len(head))
        body = head + self.read(length - len(head), fault.get("bytes_per_second") or self.server.throttle)
        if action == "http":
            return self.fail(fault, 0)
        if action == "commit_after":
            self.server.commit_later(fault.get("seconds", 1), lambda: self.answer(store, name, body))
            self.drop(fault)
        if action == "delay":
            time.sleep(fault.get("seconds", 1))
        reply = self.answer(store, name, body, self.refusal(fault))
        if action == "delay":
            time.sleep(fault.get("after", 0))
        if action == "drop_after_commit":
            self.drop(fault)
        if action == "garbage":
            reply = random.Random(1).randbytes(fault.get("bytes", 64))
        if action == "wrong_seqid":
            reply = wire.readdressed(reply, further=1)
        if action == "wrong_name":
            reply = wire.readdressed(reply, name="anotherCall")
        if action == "truncate":
            self.start(200, "application/x-thrift", len(reply))
            self.write(reply[:fault.get("bytes", len(reply) // 2)])
            raise Gone
        if action == "slow_drip":
            return self.drip(reply, fault.get("bytes", 16), fault.get("seconds", 0.05))
        self.reply(200, reply, "application/x-thrift")

    def answer(self, store, name, body, refusal=None):
        figures = self.server.figures
        reply, read = wire.answer(store, body, wire.Handler(self.server.account, figures, refusal))
        if read < len(body):
            figures.warn(f"{name}: {len(body) - read} bytes after the end of the message")
        elif len(body) <= wire.COMPARED and (deviation := wire.deviation(store, body)):
            figures.warn(deviation)
        if self.server.capture:
            with open(os.path.join(self.server.capture, f"{name}.reply"), "wb") as file:
                file.write(reply)
        return reply

    @staticmethod
    def refusal(fault):
        """The exception that a fault asks for."""
        action = fault.get("action")
        if action == "user":
            return EDAMUserException(errorCode=fault["code"], parameter=fault.get("parameter"))
        if action == "system":
            return EDAMSystemException(errorCode=fault["code"], message=fault.get("message"),
                                       rateLimitDuration=fault.get("rateLimitDuration"))
        if action == "notfound":
            return EDAMNotFoundException(identifier=fault.get("identifier"), key=fault.get("key"))
        if action == "app_exception":
            return TApplicationException(TApplicationException.INTERNAL_ERROR, "Internal error")
        return None

    def fail(self, fault, unread):
        """An HTTP error, after the body or before the rest of it is read."""
        self.server.figures.result(f"scripted HTTP {fault['status']}")
        headers = {"Retry-After": fault["retry_after"]} if "retry_after" in fault else {}
        body = str(fault.get("body", f"scripted {fault['status']}")).encode()
        self.reply(fault["status"], body, fault.get("type", "text/plain"), headers,
                   close=bool(fault.get("close") or unread))
        if unread and fault.get("linger"):  # the client can read the reply while it still sends
            self.connection.settimeout(fault["linger"])
            with contextlib.suppress(OSError, Gone):
                self.read(unread)

    def drop(self, fault):
        """Ends the connection: in good order, or with a reset."""
        if fault.get("rst"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        raise Gone

    # Bytes

    def length(self):
        """Of the body; it must be told beforehand."""
        text = self.headers.get("Content-Length", "")
        if not text.isdecimal() or int(text) > LONGEST:
            raise wire.Malformed(f"the length of the body is {text or 'not told'}")
        return int(text)

    def read(self, count, speed=None):
        """So many bytes, at `speed` bytes a second. Raises Gone where they do not come."""
        body = bytearray(count)
        view, done, begin = memoryview(body), 0, time.monotonic()
        piece = max(1, int(speed / 20)) if speed else 1 << 20
        while done < count:
            try:
                got = self.rfile.readinto(view[done:done + piece])
            except OSError:
                got = 0
            if not got:
                raise Gone
            done += got
            if speed:
                time.sleep(max(0, begin + done / speed - time.monotonic()))
        self.server.figures.add("bytes_received", count)
        return bytes(body)

    def start(self, status, kind, length, headers={}):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()

    def write(self, content):
        try:
            self.wfile.write(content)
        except OSError:
            raise Gone from None
        self.server.figures.add("bytes_sent", len(content))

    def reply(self, status, content, kind="text/plain", headers={}, close=False):
        if close:
            headers = {**headers, "Connection": "close"}
        self.start(status, kind, len(content), headers)
        self.write(content)

    def drip(self, content, piece, pause):
        self.start(200, "application/x-thrift", len(content))
        for at in range(0, len(content), piece):
            self.write(content[at:at + piece])
            time.sleep(pause)

    def reply_json(self, tree, status=200):
        self.reply(status, json.dumps(tree, indent=1, ensure_ascii=False).encode(), "application/json")
