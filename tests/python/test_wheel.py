# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel, made and installed without a network, with its program and its pytest plugin."""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from support import CLIENT

import vqscope

needs_setuptools = unittest.skipUnless(all(map(importlib.util.find_spec, ("setuptools", "wheel", "pip"))),
                                       "no setuptools, wheel or pip")


def run(arguments, **values):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **values)
    if done.returncode:
        raise AssertionError(f"{arguments} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


@needs_setuptools
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        source = os.path.join(cls.folder, "source")
        shutil.copytree(CLIENT, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        quiet = {"env": {**os.environ, "VQSCOPE_PROGRAM": os.environ["VQSCOPE"], "PIP_NO_INDEX": "1"}}
        run([*pip, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", cls.folder, source], **quiet)
        (cls.wheel,) = glob.glob(os.path.join(cls.folder, "*.whl"))
        cls.target = os.path.join(cls.folder, "installed")
        run([*pip, "install", "--no-index", "--no-deps", "--target", cls.target, cls.wheel], **quiet)
        cls.environment = {name: value for name, value in os.environ.items() if name != "VQSCOPE"}
        cls.environment["PYTHONPATH"] = cls.target

    def test_carries_the_program(self):
        name = os.path.basename(self.wheel)
        self.assertTrue(name.startswith(f"vqscope-{vqscope.__version__}-py3-none-linux"), name)
        code = "import vqscope; print(vqscope.recognise('causal', q_length=8), vqscope.__version__, vqscope.__file__)"
        path = os.pathsep.join([os.path.join(self.target, "bin"), "/usr/bin", "/bin"])
        said = run([sys.executable, "-c", code], env={**self.environment, "PATH": path}, cwd=self.folder)
        self.assertEqual(said.split()[:2], ["causal", vqscope.__version__])
        self.assertIn(self.target, said)
        said = run([os.path.join(self.target, "bin", "vqscope"), "--version"], env=self.environment)
        self.assertIn(vqscope.__version__, said)

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "no pytest")
    def test_plugin(self):
        with open(os.path.join(self.folder, "test_mask.py"), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent("""
                import pytest
                pytestmark = pytest.mark.vqscope(objective="causal")
                CAUSAL = [[k <= q for k in range(8)] for q in range(8)]

                def test_right(assert_mask, vqscope):
                    assert_mask(CAUSAL)
                    assert str(vqscope.recognise(CAUSAL)) == "causal"

                @pytest.mark.vqscope(window=4)
                def test_wrong(assert_mask):
                    assert_mask(CAUSAL)

                @pytest.mark.vqscope(window=4)
                def test_overridden(assert_mask):
                    assert_mask(CAUSAL, window=None)
            """))
        pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "test_mask.py"]
        done = subprocess.run(pytest, env=self.environment, cwd=self.folder, capture_output=True, text=True)
        self.assertIn("1 failed, 2 passed", done.stdout)
        self.assertIn("Row 4 of 8 sees 5 of 8 keys: 0–4", done.stdout)
        self.assertNotIn("lint.py", done.stdout)  # the failure is shown at the test's own line


if __name__ == "__main__":
    unittest.main()
