// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/interrupts.h"

#include "app/process/console.h"
#include "tests/app/child.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <unistd.h>

#include <condition_variable>
#include <mutex>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Waits until the token requests a stop.
void waitFor(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, stop, [] { return false; });
}

/// Work that ignores every stop.
[[noreturn]] void workOn() {
  for (;;) ::pause();
}

}  // namespace

class InterruptsTest : public TestCase {
  Q_OBJECT

 private slots:
  /// Work that reacts to the request ends normally.
  void signal_requests_a_stop() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      const Ended ended = inAChild([&] {
        const Interrupts interrupts(std::nullopt);
        if (interrupts.token().stop_requested()) return -1;
        ::kill(::getpid(), number);
        waitFor(interrupts.token());
        return 7;
      });
      QCOMPARE(ended.status, 7);
      COMPARE_TEXT(ended.err, "");
    }
  }

  void work_that_ignores_the_stop_is_abandoned() {
    const Ended ended = inAChild([]() -> int {
      const Interrupts interrupts(std::chrono::milliseconds(1));
      ::kill(::getpid(), SIGINT);
      workOn();
    });
    QCOMPARE(ended.status, exitInterrupted);
    COMPARE_TEXT(ended.err, "vqscope: cancelled\n");
  }

  /// However patient it is.
  void a_second_signal_ends_at_once() {
    for (const auto idle_timeout :
         {std::optional<std::chrono::milliseconds>(), std::optional(std::chrono::milliseconds(3'600'000))}) {
      const Ended ended = inAChild([&]() -> int {
        const Interrupts interrupts(idle_timeout);
        ::kill(::getpid(), SIGINT);
        waitFor(interrupts.token());
        ::kill(::getpid(), SIGTERM);
        workOn();
      });
      QCOMPARE(ended.status, 128 + SIGTERM);
      COMPARE_TEXT(ended.err, "");
    }
  }

  /// Without a request, the process is restored: the signal kills it again.
  void destructor_restores_signal_handlers() {
    const Ended ended = inAChild([]() -> int {
      { const Interrupts interrupts; }
      ::kill(::getpid(), SIGTERM);
      workOn();
    });
    QCOMPARE(ended.status, 1000 + SIGTERM);
  }

  /// A file that outgrows a limit is an error of writing.
  void a_full_quota_does_not_kill() {
    const Ended ended = inAChild([] {
      const Interrupts interrupts;
      ::raise(SIGXFSZ);
      return 7;
    });
    QCOMPARE(ended.status, 7);
  }
};

VQSCOPE_TEST(InterruptsTest)
#include "interrupts_test.moc"
