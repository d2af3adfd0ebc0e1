// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/application_steps.h"

#include <QCoreApplication>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

namespace vqscope {
namespace {

struct Step {
  enum class State { waiting, running, done, leftOut };
  std::mutex mutex;
  std::condition_variable_any changed;
  State state = State::waiting;
  std::exception_ptr thrown;

  /// Returns whether the state was `before`.
  bool turn(State before, State after) {
    const std::lock_guard lock(mutex);
    if (state != before) return false;
    state = after;
    changed.notify_all();
    return true;
  }
};

}  // namespace

void runOnApplication(const std::function<void()>& step, const std::stop_token& stop) {
  const auto shared = std::make_shared<Step>();
  // The step outlives its use: this thread waits unless the step is left out.
  QMetaObject::invokeMethod(
      QCoreApplication::instance(),
      [shared, &step] {
        if (!shared->turn(Step::State::waiting, Step::State::running)) return;
        try {
          step();
        } catch (...) {
          shared->thrown = std::current_exception();
        }
        shared->turn(Step::State::running, Step::State::done);
      },
      Qt::QueuedConnection);
  std::unique_lock lock(shared->mutex);
  const auto isDone = [&] { return shared->state == Step::State::done; };
  if (!shared->changed.wait(lock, stop, isDone) && shared->state == Step::State::waiting) {
    shared->state = Step::State::leftOut;
    return;
  }
  shared->changed.wait(lock, isDone);
  if (shared->thrown) std::rethrow_exception(shared->thrown);
}

}  // namespace vqscope
