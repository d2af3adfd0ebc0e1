# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding the program, its ends, threads and interrupts."""

import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from support import CLIENT, ROOT, causal_lists, environment, fake_program

import vqscope  # after support, which knows where the client is
from vqscope import payload


class Program(unittest.TestCase):
    def test_version_is_that_of_the_program(self):
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"project\(VQScope VERSION ([0-9.]+)", file.read()).group(1)
        self.assertEqual(vqscope.__version__, version)
        said = subprocess.run([os.environ["VQSCOPE"], "--version"], capture_output=True, text=True).stdout
        self.assertIn(version, said)

    def test_missing_program_names_where_it_was_looked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            for given in (None, os.path.join(folder, "none")):
                with environment(VQSCOPE=given, PATH=folder):
                    with self.assertRaisesRegex(vqscope.MissingProgram, "(?s)VQSCOPE.*PATH"):
                        vqscope.check(causal_lists(4))
        with environment(VQSCOPE="/dev/null"), self.assertRaisesRegex(vqscope.MissingProgram, "is not executable"):
            vqscope.check(causal_lists(4))

    def test_path_is_read_at_each_call(self):
        program = os.environ["VQSCOPE"]
        with tempfile.TemporaryDirectory() as folder:
            with environment(VQSCOPE=None, PATH=folder + os.pathsep + os.environ["PATH"]):
                os.symlink(program, os.path.join(folder, "vqscope"))
                self.assertEqual(vqscope.check(causal_lists(4)), [])

    def test_ends(self):
        for script, kind, sentence in (
                ("kill -9 $$", vqscope.Died, r"signal 9 \(SIGKILL\)"),
                ("exit 139", vqscope.Died, r"signal 11 \(SIGSEGV\)"),
                ("kill -2 $$", vqscope.Interrupted, "interrupted"), ("exit 130", vqscope.Interrupted, "interrupted"),
                ("echo 'vqscope: no' >&2; exit 2", vqscope.Refused, "^no$"),
                ("exit 7", vqscope.VqscopeError, "status 7"), ("exit 0", vqscope.BrokenAnswer, "after 0 bytes"),
                ("echo '{\"findings\": ['", vqscope.BrokenAnswer, "cut off"),
                ("echo '[1]'", vqscope.BrokenAnswer, "no object"), ("echo '{}'", vqscope.BrokenAnswer, "no findings")):
            with self.subTest(script=script), fake_program(script), self.assertRaisesRegex(kind, sentence):
                vqscope.check(causal_lists(4))

    def test_many_threads(self):
        def ask(number):
            return str(vqscope.recognise(causal_lists(12, 2 + number % 5)))

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, range(24)))
        self.assertEqual(answers, [f"causal ∧ window {2 + number % 5}" for number in range(24)])

    def test_interrupt_leaves_no_process(self):
        with fake_program("sleep 600 & echo $$ > \"$(dirname \"$0\")/pid\"; wait") as folder:
            code = ("import signal, vqscope\n"
                    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in a job of a script
                    "try: vqscope.check([[True]])\nexcept vqscope.Interrupted: print('interrupted')")
            caller = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": CLIENT},
                                      stdout=subprocess.PIPE, text=True)
            number = os.path.join(folder, "pid")
            until = time.monotonic() + 120
            while not (os.path.exists(number) and os.path.getsize(number)) and time.monotonic() < until:
                time.sleep(0.01)
            with open(number, encoding="ascii") as file:
                child = int(file.read())
            caller.send_signal(signal.SIGINT)
            self.assertEqual(caller.communicate(timeout=120)[0], "interrupted\n")
            with self.assertRaises(ProcessLookupError):
                os.kill(child, 0)

    def test_an_interrupt_while_the_program_starts_leaves_no_process(self):
        started = []

        def interrupted(*arguments, **options):
            started.append(Popen(*arguments, **options))
            signal.raise_signal(signal.SIGINT)
            return started[0]

        Popen = subprocess.Popen
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a job of a script
        try:
            with fake_program("exec sleep 60"), mock.patch.object(subprocess, "Popen", interrupted):
                with self.assertRaises(vqscope.Interrupted):
                    vqscope.check([[True]])
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(started[0].returncode, -signal.SIGKILL)

    def test_data_without_memory_files(self):
        kept = payload.os.path.isdir
        payload.os.path.isdir = lambda path: path != "/proc/self/fd" and kept(path)
        try:
            with tempfile.TemporaryDirectory() as folder:
                tempfile.tempdir, before = folder, tempfile.tempdir
                try:
                    self.assertEqual(vqscope.check(causal_lists(6)), [])
                    one = payload.Payload([b"private"], ".npy")
                    self.assertEqual(os.stat(one.path).st_mode & 0o777, 0o600)
                    one.close()
                    self.assertEqual(os.listdir(folder), [])
                finally:
                    tempfile.tempdir = before
        finally:
            payload.os.path.isdir = kept


if __name__ == "__main__":
    unittest.main()
