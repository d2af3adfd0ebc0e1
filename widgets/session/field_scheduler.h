// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guard.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace vqscope {

/// Runs the newest piece of work off the GUI thread. One scheduler serves one picture; results
/// arrive on the thread that owns it. While work is running, only the newest request waits, so
/// dragging a slider shows as many frames as possible without a queue. Work that takes much longer
/// than the last is stopped for it.
///
/// Nothing waits for work: a scheduler abandons its work after asking it to stop, at its
/// destruction and if the work does not stop. Work must therefore own everything that it uses.
class FieldScheduler : public QObject {
  Q_OBJECT
 public:
  explicit FieldScheduler(QObject* parent = nullptr);
  ~FieldScheduler() override;

  /// `work` runs on a worker; `done` gets its result on this thread, unless the work was stopped.
  /// An exception of the work, such as std::bad_alloc, becomes the error of a Result, or a default
  /// value.
  template <class T>
  void run(std::function<T(std::stop_token)> work, std::function<void(T)> done) {
    start([work = std::move(work), done = std::move(done)](std::stop_token stop) -> Delivery {
      auto result = std::make_shared<T>(outcomeOf(work, std::move(stop)));
      return [result, done] { done(std::move(*result)); };
    });
  }

  /// Stops running work and drops waiting work; neither is delivered.
  void stop();
  /// The same, and waits until the work has ended: for work that uses objects of its caller.
  void stopAndWait();

  bool isBusy() const { return m_running; }

  /// Workers that a picture may use.
  static int threads();

  /// Waits for abandoned work, at most for the given time; -1: as long as it takes, which is what
  /// the end of the application does. Returns whether all of it has ended. Only for the end of the
  /// program.
  static bool waitForAll(int milliseconds);

 private:
  using Delivery = std::function<void()>;
  using Job = std::function<Delivery(std::stop_token)>;
  /// The place for a worker's result; null if its scheduler is gone.
  struct Address {
    std::mutex mutex;
    FieldScheduler* owner = nullptr;
  };

  template <class T>
  static T outcomeOf(const std::function<T(std::stop_token)>& work, std::stop_token stop) {
    const auto failure = [](const Error& error) {
      if constexpr (std::is_constructible_v<T, Error>)
        return T(error);
      else
        return T();
    };
    try {
      return work(std::move(stop));
    } catch (const std::exception&) {
      return failure(error_of_exception());
    } catch (...) {
      return failure({Errc::io, "the computation failed for an unknown reason"});
    }
  }

  void start(Job job);
  void launch(Job job);
  void finish(const Delivery& deliver, std::size_t serial);
  void onIdleTimeout();
  bool leaveWork();

  std::shared_ptr<Address> m_address;
  std::unique_ptr<QThreadPool> m_pool;  ///< one thread, which keeps the memory of the last picture
  QTimer m_idleTimeout;
  QElapsedTimer m_clock;
  qint64 m_lastDuration = 0;  ///< duration of the last finished work, in milliseconds
  std::stop_source m_stop;
  Job m_waiting;
  std::size_t m_serial = 0;  ///< number of the work whose result will be delivered
  bool m_running = false;
};

}  // namespace vqscope
