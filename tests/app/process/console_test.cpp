// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/console.h"

#include "tests/app/child.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstdio>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Ended failed(const Error& error) {
  return inAChild([&] { return fail(error); });
}

}  // namespace

class ConsoleTest : public TestCase {
  Q_OBJECT

 private slots:
  void printing() {
    const Ended ended = inAChild([] { return print("a\n\xff\n"); });
    QCOMPARE(ended.status, exitDone);
    QCOMPARE(ended.out, std::string("a\n\xff\n"));
    COMPARE_TEXT(ended.err, "");
  }

  void print_failure_is_reported() {
    const Ended ended = inAChild([] {
      if (!std::freopen("/dev/full", "w", stdout)) return -1;
      return print("a");
    });
    QCOMPARE(ended.status, exitRefused);
    COMPARE_TEXT(ended.err, "vqscope: cannot write to standard output: the disk is full\n");
  }

  void errors_are_one_line() {
    const Ended ended = failed(invalid("row is 9 but must be from 0 to 7"));
    QCOMPARE(ended.status, exitRefused);
    COMPARE_TEXT(ended.out, "");
    COMPARE_TEXT(ended.err, "vqscope: row is 9 but must be from 0 to 7\n");
    COMPARE_TEXT(failed(invalid("two\nlines\r\tand\x1b[2J\x7f")).err, "vqscope: two lines \tand [2J \n");
  }

  void cancelled_work_exits_as_interrupted() {
    const Ended ended = failed(cancelled());
    QCOMPARE(ended.status, exitInterrupted);
    COMPARE_TEXT(ended.err, "vqscope: cancelled\n");
  }

  void details_are_printed_below_the_message() {
    COMPARE_TEXT(failed({Errc::invalid_argument, "line 1: unknown name k", "q >= k\n     ^"}).err,
                 "vqscope: line 1: unknown name k\nq >= k\n     ^\n");
  }

  /// A file's name in a sentence may be any bytes; a control character of two bytes is one too.
  void invalid_utf8_and_control_bytes_are_escaped() {
    COMPARE_TEXT(failed(invalid("a\xff.npy: \xc3")).err, "vqscope: a\\xff.npy: \\xc3\n");
    COMPARE_TEXT(failed(invalid("a\xc2\x9b"
                                "2J, ü ∧ 𝛼"))
                     .err,
                 "vqscope: a 2J, ü ∧ 𝛼\n");
  }

  void long_sentences_are_cut() {
    COMPARE_TEXT(failed(invalid(std::string(391, 'x'))).err, "vqscope: " + std::string(391, 'x') + "\n");
    COMPARE_TEXT(failed(invalid(std::string(392, 'x'))).err, "vqscope: " + std::string(391, 'x') + "…\n");
    std::string wide;
    for (int i = 0; i < 1000; ++i) wide += "ü";
    COMPARE_TEXT(failed(invalid(wide)).err, "vqscope: " + wide.substr(0, 2 * 391) + "…\n");
  }

  void warnings_do_not_end_the_program() {
    const Ended ended = inAChild([] {
      warn("a.vqscope: unknown page layers");
      note("12 points are left");
      return exitDone;
    });
    QCOMPARE(ended.status, exitDone);
    COMPARE_TEXT(ended.out, "");
    COMPARE_TEXT(ended.err, "vqscope: warning: a.vqscope: unknown page layers\nvqscope: 12 points are left\n");
  }
};

VQSCOPE_TEST(ConsoleTest)
#include "console_test.moc"
