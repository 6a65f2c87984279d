#!/usr/bin/env python3
"""A service that misbehaves to order: the path of a request says how.

    service.py [--tls CERTIFICATE KEY | --hang-up]

Prints the port it listens on, then a line for what happens: `request CONNECTION PATH` when the headers of a request have
come, `ended CONNECTION` when a connection is over. Connections count from 1. With --hang-up it ends every connection as
soon as something has come. It ends with its input, so that it does not outlive whoever has started it.
"""
import gzip
import os
import select
import signal
import socket
import ssl
import struct
import sys
import threading
import time

LOCK = threading.Lock()


def say(*words):
    with LOCK:
        print(*words, flush=True)


class Gone(Exception):
    """The client has ended the connection."""


class Connection:
    def __init__(self, stream, number):
        self.stream, self.number, self.rest, self.requests = stream, number, b"", 0

    def more(self):
        piece = self.stream.recv(65536)
        if not piece:
            raise Gone
        self.rest += piece

    def head(self):
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        return head + b"\r\n\r\n"

    def take(self, count):
        taken = bytearray(self.rest)
        while len(taken) < count:
            piece = self.stream.recv(1 << 20)
            if not piece:
                raise Gone
            taken += piece
        self.rest = bytes(taken[count:])
        return bytes(taken[:count])

    def drain(self):
        while self.stream.recv(65536):
            pass

    def reply(self, body, status="200 OK", headers=()):
        lines = ["HTTP/1.1 " + status, f"Content-Length: {len(body)}", *headers, "", ""]
        self.stream.sendall("\r\n".join(lines).encode() + body)

    def reset(self):
        """Ends the connection with a RST."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone

    def serve(self):
        """Answers one request."""
        head = self.head()
        self.requests += 1
        path = head.split(b" ", 2)[1].decode()
        headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        length = int(headers.get(b"content-length", 0))
        say("request", self.number, path)

        # What these do, they do before the body.
        if path == "/close/before":
            raise Gone
        if path == "/reset/before":
            self.reset()
        if path == "/close/inside":
            self.take(length // 2)
            raise Gone
        if path == "/second-is-lost" and self.requests > 1:
            self.reset()
        if path in ("/early", "/early/close"):
            close = path == "/early/close"
            self.reply(b"too large", "413 Content Too Large", ["Connection: close"] if close else [])
            if close:
                raise Gone
            self.drain()
            raise Gone
        if path == "/stall/interrupt":
            os.kill(os.getppid(), signal.SIGINT)
        if path.startswith("/stall"):
            self.wait_for_end()

        body = self.take(length)
        if path == "/echo" or path == "/second-is-lost":
            self.reply(body)
        elif path == "/head":
            self.reply(head)
        elif path == "/say":  # the body of the request is the reply, byte for byte
            self.stream.sendall(body)
            raise Gone
        elif path == "/close/after" or path == "/second-is-lost-after" and self.requests > 1:
            raise Gone
        elif path == "/second-is-lost-after":
            self.reply(body)
        elif path == "/never/interrupt":
            os.kill(os.getppid(), signal.SIGINT)
            self.wait_for_end()
        elif path == "/never":
            self.wait_for_end()
        elif path == "/gzip":
            self.reply(gzip.compress(body), headers=["Content-Encoding: gzip"])
        elif path == "/bomb":
            self.reply(gzip.compress(bytes(64 << 20)), headers=["Content-Encoding: gzip"])
        elif path == "/drip":
            self.stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while True:
                self.stream.sendall(b".")
                time.sleep(0.01)
        elif path == "/half":
            self.stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            self.wait_for_end()
        elif path == "/endless":
            self.stream.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.stream.sendall(b"X-More: and more\r\n" * 100)
        elif path == "/interim":
            while True:
                self.stream.sendall(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)
        else:
            self.reply(b"", "404 Not Found")

    def wait_for_end(self):
        """Reads nothing, and waits until the client has gone."""
        poll = select.poll()
        poll.register(self.stream, select.POLLRDHUP)
        poll.poll()
        raise Gone

    def run(self):
        try:
            while True:
                self.serve()
        except (Gone, OSError):
            pass
        finally:
            self.stream.close()
            say("ended", self.number)


def end_with_input():
    while os.read(0, 4096):
        pass
    os._exit(0)


def main(arguments):
    threading.Thread(target=end_with_input, daemon=True).start()
    context = None
    if arguments[:1] == ["--tls"]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments[1], arguments[2])
    listener = socket.socket()
    # What nobody reads is little. Left to itself, the system may take in all of a large body.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    say(listener.getsockname()[1])

    def serve(stream, number):
        try:
            if context:
                stream = context.wrap_socket(stream, server_side=True)
        except OSError:
            return
        if arguments == ["--hang-up"]:
            stream.recv(1)
            stream.close()
            return
        Connection(stream, number).run()

    number = 0
    while True:
        stream, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(stream, number), daemon=True).start()


main(sys.argv[1:])
