# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes that the program reads as a file and nobody else does: in memory where the system can, else in a
temporary file that only the user can read."""

import fcntl
import os
import tempfile

from .errors import Refused

_MOST_AT_ONCE = 1 << 24
_HIGH = 713


def write_parts(descriptor, parts):
    for part in parts:
        if not len(part):
            continue
        view = memoryview(part)  # of bytes
        done = 0
        while done < len(view):
            done += os.write(descriptor, view[done:done + _MOST_AT_ONCE])


def write_file(path, parts, flags, mode):
    """Opens ``path`` for writing, with these flags of os.open besides, and writes the parts."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags, mode)
    try:
        write_parts(descriptor, parts)
    finally:
        os.close(descriptor)


def _high(descriptor):
    """The same file under a number of its own, which stands in sentences about it and is replaced there."""
    try:
        other = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:
        return descriptor  # fewer files are allowed
    os.close(descriptor)
    return other


class Payload:
    """A readable path for some bytes, until it is closed."""

    def __init__(self, parts, ending=""):
        self.path = ""
        self._descriptor = -1
        self._file = None
        try:
            self._open(ending)
            write_parts(self._descriptor, parts)
        except OSError as error:
            self.close()
            raise Refused(f"cannot pass the data to the program: {error.strerror or error}") from None
        except BaseException:
            self.close()
            raise

    def _open(self, ending):
        if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
            try:
                self._descriptor = _high(os.memfd_create("vqscope", os.MFD_CLOEXEC))
                # The name by number of this process serves the children of children too.
                self.path = f"/proc/{os.getpid()}/fd/{self._descriptor}"
                return
            except OSError:
                pass
        self._descriptor, self._file = tempfile.mkstemp(ending, "vqscope-")
        self.path = self._file

    def close(self):
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
        file, self._file = self._file, None
        if file:
            try:
                os.unlink(file)
            except OSError:
                pass

    __del__ = close
