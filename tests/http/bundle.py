"""A recording as an object whose parts can be changed, and back: bundle.read(name), bundle.write(it, name). The
format is that of server/recordings/bundle.h."""

import hashlib
import pathlib
import struct
import subprocess
import types

TEXTS = "build id name cause created_at mesh kind method path content_type request_id limits answer_type config".split()


def zstd(how, data):
    return subprocess.run(["zstd", how], input=data, stdout=subprocess.PIPE, check=True).stdout


class Cursor:
    def __init__(self, contents):
        self.contents, self.at = contents, 0

    def take(self, size):
        self.at += size
        return self.contents[self.at - size : self.at]

    def number(self, kind="I"):
        return struct.unpack("<" + kind, self.take(struct.calcsize(kind)))[0]

    def text(self):
        return self.take(self.number() + 1)[:-1]

    def block(self):
        size = self.number()
        self.take(-self.at % 16)
        return self.take(size)


def read(name):
    c = Cursor(zstd("-dc", pathlib.Path(name).read_bytes()[64:]))
    it = types.SimpleNamespace(**{text: c.text() for text in TEXTS})
    it.version, it.status, it.draw, it.ms, it.timed = (c.number(kind) for kind in "IIQQI")
    counts = [c.number() for _ in range(4)]
    it.body, it.answer = c.block(), c.block()
    it.args = [(c.text(), c.text()) for _ in range(counts[0])]
    it.instances = [(c.text(), c.text(), c.number()) for _ in range(counts[1])]
    it.tiles = [(c.number(), c.number(), c.number(), c.block()) for _ in range(counts[2])]
    it.landmarks = [(c.number(), c.number("Q"), c.block()) for _ in range(counts[3])]
    assert c.at == len(c.contents)
    return it


def write(it, name):
    out = bytearray()

    def put(value, kind="I"):
        if isinstance(value, int):
            out.extend(struct.pack("<" + kind, value))
        else:
            out.extend(struct.pack("<I", len(value)) + value + b"\0")

    def block(data):
        put(len(data))
        out.extend(bytes(-len(out) % 16) + data)

    for text in TEXTS:
        put(getattr(it, text))
    for value, kind in zip((it.version, it.status, it.draw, it.ms, it.timed), "IIQQI"):
        put(value, kind)
    for part in (it.args, it.instances, it.tiles, it.landmarks):
        put(len(part))
    block(it.body)
    block(it.answer)
    for value in [value for part in (it.args, it.instances) for row in part for value in row]:
        put(value)
    for agent, x, z, blob in it.tiles:
        put(agent), put(x), put(z), block(blob)
    for agent, fingerprint, blob in it.landmarks:
        put(agent), put(fingerprint, "Q"), block(blob)
    packed = zstd("-c", bytes(out))
    pathlib.Path(name).write_bytes(
        b"NAVC" + struct.pack("<I3Q", 1, len(out), len(packed), 0) + hashlib.sha256(out).digest() + packed
    )
