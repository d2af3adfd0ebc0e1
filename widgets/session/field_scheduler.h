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

/// Runs the newest piece of work off the GUI thread. One scheduler serves one picture; results arrive on the thread
/// that owns it. While work is under way only the newest request waits, so a slider that is dragged shows every frame
/// that can be had and never a queue; work that lasts much longer than the last did is told to stop for it.
///
/// Nobody waits for work: a scheduler that goes down tells its work to stop and leaves it to end by itself, and so does
/// one whose work does not hear its stop. Work therefore owns all that it looks at.
class FieldScheduler : public QObject {
  Q_OBJECT
 public:
  explicit FieldScheduler(QObject* parent = nullptr);
  ~FieldScheduler() override;

  /// `work` is called on a worker, `done` takes its result here; not when it was stopped. An exception of the work, as
  /// of memory that could not be had, becomes the error of a Result, or else a default value.
  template <class T>
  void run(std::function<T(std::stop_token)> work, std::function<void(T)> done) {
    start([work = std::move(work), done = std::move(done)](std::stop_token stop) -> Delivery {
      auto result = std::make_shared<T>(outcomeOf(work, std::move(stop)));
      return [result, done] { done(std::move(*result)); };
    });
  }

  /// What runs is told to stop, what waits is dropped, and neither is delivered.
  void stop();
  /// The same, and waits until it has ended: for work that looks at what its caller owns.
  void stopAndWait();

  bool isBusy() const { return m_running; }

  /// Workers that a picture may use.
  static int threads();

  /// Waits for work that was left to end by itself, at most so long; whether all of it has. At the end of the program
  /// alone.
  static bool waitForAll(int milliseconds);

 private:
  using Delivery = std::function<void()>;
  using Job = std::function<Delivery(std::stop_token)>;
  /// Where a worker puts what it has made; nobody: its scheduler is gone.
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
  void onPatience();
  bool leaveWork();

  std::shared_ptr<Address> m_address;
  std::unique_ptr<QThreadPool> m_pool;  ///< of one thread, which keeps what it has learnt of the last picture
  QTimer m_patience;
  QElapsedTimer m_clock;
  qint64 m_lastDuration = 0;  ///< of work that was let finish, in milliseconds
  std::stop_source m_stop;
  Job m_waiting;
  std::size_t m_serial = 0;  ///< of the work that is delivered when it is done
  bool m_running = false;
};

}  // namespace vqscope
