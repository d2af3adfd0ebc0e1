// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/program.h"

#include "app/process/console.h"
#include "tests/app/child.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <exception>
#include <new>
#include <stdexcept>

using namespace vqscope;
using namespace vqscope::test;

namespace {

template <class Exception>
Ended caught(const Exception& exception) {
  return inAChild([&] {
    try {
      throw exception;
    } catch (...) {
      return failOfException();
    }
  });
}

/// Within a function that promises to throw nothing, as a destructor or a library's may.
template <class Exception>
Ended uncaught(const Exception& exception) {
  return inAChild([&] {
    speakLastWords();
    const auto throwing = [&] { throw exception; };
    const auto promising = [&]() noexcept { throwing(); };
    promising();
    return exitDone;
  });
}

}  // namespace

class LastWordsTest : public TestCase {
  Q_OBJECT

 private slots:
  void exceptions_are_sentences() {
    COMPARE_TEXT(caught(std::bad_alloc()).err, "vqscope: there is not enough memory for this\n");
    COMPARE_TEXT(caught(std::bad_array_new_length()).err, "vqscope: there is not enough memory for this\n");
    COMPARE_TEXT(caught(std::length_error("n")).err, "vqscope: this needs more memory than a machine can address\n");
    COMPARE_TEXT(caught(std::runtime_error("the disk is gone")).err, "vqscope: the disk is gone\n");
    COMPARE_TEXT(caught(3).err, "vqscope: unknown error in a library\n");
    QCOMPARE(caught(3).status, exitRefused);
  }

  void long_exception_text_is_cut() {
    COMPARE_TEXT(caught(std::runtime_error(std::string(1000, 'x'))).err, "vqscope: " + std::string(300, 'x') + "\n");
  }

  /// No core dump, and no more of the program.
  void uncaught_exception_ends_the_program() {
    const Ended ended = uncaught(std::runtime_error("the disk is gone"));
    QCOMPARE(ended.status, exitRefused);
    COMPARE_TEXT(ended.err, "vqscope: the disk is gone\n");
    QCOMPARE(uncaught(std::bad_alloc()).status, exitRefused);
  }

  void terminate_without_an_exception() {
    const Ended ended = inAChild([]() -> int {
      speakLastWords();
      std::terminate();
    });
    QCOMPARE(ended.status, exitRefused);
    COMPARE_TEXT(ended.err, "vqscope: internal error: the program cannot continue\n");
  }
};

VQSCOPE_TEST(LastWordsTest)
#include "last_words_test.moc"
