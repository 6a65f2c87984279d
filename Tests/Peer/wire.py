"""Requests and replies as the official generated code reads and writes them."""

import struct
import sys
import traceback

from evernote.edam.error.ttypes import EDAMNotFoundException, EDAMSystemException, EDAMUserException
from evernote.edam.notestore import NoteStore
from evernote.edam.userstore import UserStore
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TApplicationException
from thrift.transport.TTransport import TMemoryBuffer

STORES = {"/edam/user": UserStore, "/edam/note/s1": NoteStore, "/shard/s1/notestore": NoteStore}
COMPARED = 32 << 20  # bytes: longer requests are not written again for comparison


class Malformed(Exception):
    """No request of the interface."""


def method(head):
    """The name in the first bytes of a message."""
    if len(head) < 8 or head[:2] != b"\x80\x01":
        raise Malformed("no strict binary message")
    length, = struct.unpack(">I", head[4:8])
    if length > 200 or len(head) < 12 + length:
        raise Malformed("no name")
    return head[8:8 + length].decode("ascii", "replace")


def answer(store, body, handler):
    """The reply to a message, and how many bytes of it were read."""
    read, written = TMemoryBuffer(body), TMemoryBuffer()
    try:
        store.Processor(handler).process(TBinaryProtocol(read, strictRead=True), TBinaryProtocol(written))
    except Exception as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    return written.getvalue(), read.cstringio_buf.tell()


def deviation(store, body):
    """What the official code would write otherwise than the sender did, in words, or nothing."""
    name = method(body)
    kind = getattr(store, name + "_args", None)
    if kind is None:
        return None
    protocol = TBinaryProtocol(TMemoryBuffer(body))
    header = protocol.readMessageBegin()
    arguments = kind()
    arguments.read(protocol)
    again = TMemoryBuffer()
    protocol = TBinaryProtocol(again)
    protocol.writeMessageBegin(*header)
    arguments.write(protocol)
    expected = again.getvalue()
    if expected == body:
        return None
    at = next((index for index, pair in enumerate(zip(expected, body)) if pair[0] != pair[1]),
              min(len(expected), len(body)))
    return f"{name}: from byte {at} on the official code would write {expected[at:at + 16].hex() or 'no more'}"


def readdressed(reply, name=None, further=0):
    """A reply with another name, or a sequence number that is so much higher."""
    length, = struct.unpack(">I", reply[4:8])
    name = reply[8:8 + length] if name is None else name.encode()
    number, = struct.unpack(">i", reply[8 + length:12 + length])
    return reply[:4] + struct.pack(">I", len(name)) + name + struct.pack(">i", number + further) + reply[12 + length:]


class Handler:
    """What the official Processor calls: a call of the account, unless `refusal` is to be raised instead."""

    def __init__(self, account, figures, refusal=None):
        self.account, self.figures, self.refusal = account, figures, refusal

    def __getattr__(self, name):
        def call(*arguments):
            outcome = "ok"
            try:
                if self.refusal:
                    raise self.refusal
                if not hasattr(self.account, name):
                    raise TApplicationException(TApplicationException.UNKNOWN_METHOD, f"{name} is not part of the service")
                return getattr(self.account, name)(*arguments)
            except (EDAMUserException, EDAMSystemException) as error:
                outcome = f"{error.errorCode.name} {getattr(error, 'parameter', None) or ''}".strip()
                raise
            except EDAMNotFoundException as error:
                outcome = f"NOT_FOUND {error.identifier or ''}".strip()
                raise
            except TApplicationException as error:
                outcome = str(error)
                raise
            except Exception as error:
                outcome = f"the service failed: {error!r}"
                self.figures.warn(f"{name}: {outcome}")
                traceback.print_exc(file=sys.stderr)
                raise
            finally:
                self.figures.result(f"{name}: {'scripted ' if self.refusal else ''}{outcome}")
        return call
