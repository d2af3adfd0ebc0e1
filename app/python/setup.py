# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel carries the program: VQSCOPE_PROGRAM, else build/vqscope or build/core-only/vqscope of the source tree where
it was built without Qt. Such a wheel is of one platform; without the program it is of any, and VQSCOPE or PATH leads to
one."""

import os
import shutil
import sysconfig

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))


def program():
    given = os.environ.get("VQSCOPE_PROGRAM")
    if given and not os.access(given, os.X_OK):
        raise SystemExit(f"VQSCOPE_PROGRAM is {given}, which is not a program")
    built = [os.path.join(HERE, "..", "..", "build", *each, "vqscope") for each in ((), ("core-only",))]
    return given or next((each for each in built if is_without_qt(each)), None)


def is_without_qt(path):
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        return False
    with open(path, "rb") as file:
        return b"libQt6" not in file.read()


class BuildWithProgram(build_py):
    def run(self):
        super().run()
        if program():
            folder = os.path.join(self.build_lib, "vqscope", "_program")
            os.makedirs(folder, exist_ok=True)
            shutil.copyfile(program(), os.path.join(folder, "vqscope"))
            os.chmod(os.path.join(folder, "vqscope"), 0o755)


class WheelOfPlatform(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        if program():
            self.root_is_pure = False

    def get_tag(self):
        if not program():
            return super().get_tag()
        return "py3", "none", sysconfig.get_platform().replace("-", "_").replace(".", "_")


setup(cmdclass={"build_py": BuildWithProgram, "bdist_wheel": WheelOfPlatform})
