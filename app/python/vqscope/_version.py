# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of the client: that of the program, which stands in CMakeLists.txt (a test compares them)."""

__version__ = "0.2.0"
