"""The call that fails in a program with the library nth_call.cpp: which it is, and what was called so far."""
import errno
import mmap
import pathlib
import struct

KINDS = ["open", "read", "write", "sync", "rename", "make_folder", "remove", "truncate", "list"]
ERRORS = {"write": [errno.EIO, errno.ENOSPC, 0], "open": [errno.EIO, errno.EMFILE], "make_folder": [errno.ENOSPC],
          "sync": [errno.EIO, errno.ENOSPC]}
LAYOUT = struct.Struct("=IIQ9QQ256s")  # Control of nth_call.cpp
NONE = (len(KINDS), 0, 0)


class Fault:
    """The file that nth_call.cpp reads."""

    def __init__(self, path: pathlib.Path, folder: pathlib.Path):
        self.path, self.folder = path, folder
        self.set(*NONE)

    def set(self, kind: int, code: int, nth: int):
        content = LAYOUT.pack(kind, code, nth, *[0] * len(KINDS), 0, str(self.folder).encode())
        if not self.path.exists():
            self.path.write_bytes(content)
            return
        with self.path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            memory[:len(content)] = content

    def read(self) -> tuple[dict, int]:
        """The calls of each kind, and how many failed."""
        values = LAYOUT.unpack(self.path.read_bytes()[:LAYOUT.size])
        return dict(zip(KINDS, values[3:3 + len(KINDS)])), values[3 + len(KINDS)]


def faults(calls: dict, most: int):
    """(kind, error, n) and its name: up to `most` values of n for each kind, and the last three calls."""
    for kind, count in calls.items():
        step = max(1, count // most)
        for nth in sorted({*range(1, count + 1, step), *range(max(1, count - 2), count + 1)}):
            for code in ERRORS.get(kind, [errno.EIO]):
                said = errno.errorcode.get(code, "half a write")
                yield (KINDS.index(kind), code, nth), f"{nth}. {kind} fails with {said}"
