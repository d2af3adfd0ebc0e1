# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong, each as an exception of its own."""


class VqscopeError(Exception):
    """The base of all exceptions of this package."""


class Refused(VqscopeError, ValueError):
    """The program, or this client, does not take what was given. The text says what is allowed."""


class MissingProgram(VqscopeError, FileNotFoundError):
    """There is no program to run: neither the environment variable VQSCOPE nor PATH leads to one."""


class Died(VqscopeError):
    """The program ended by a signal; ``signal`` is its number."""

    def __init__(self, message, signal=None):
        super().__init__(message)
        self.signal = signal


class BrokenAnswer(VqscopeError):
    """The answer of the program is cut off or cannot be read."""


class Interrupted(VqscopeError, KeyboardInterrupt):
    """The program was interrupted (Ctrl+C) before it had an answer."""
