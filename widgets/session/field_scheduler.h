// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <stop_token>

namespace vqscope {

/// Runs the newest piece of work off the GUI thread. One scheduler serves one picture; results arrive on the thread
/// that owns it. While work is under way only the newest request waits, so a slider that is dragged shows every frame
/// that can be had and never a queue; work that lasts much longer than the last did is told to stop for it.
class FieldScheduler : public QObject {
  Q_OBJECT
 public:
  explicit FieldScheduler(QObject* parent = nullptr);
  ~FieldScheduler() override;

  /// `work` is called on a worker, `done` takes its result here; not when it was stopped.
  template <class T>
  void run(std::function<T(std::stop_token)> work, std::function<void(T)> done) {
    start([work = std::move(work), done = std::move(done)](std::stop_token stop) -> Delivery {
      auto result = std::make_shared<T>(work(std::move(stop)));
      return [result, done] { done(std::move(*result)); };
    });
  }

  bool isBusy() const { return m_running; }

  /// Workers that a picture may use.
  static int threads();

 private:
  using Delivery = std::function<void()>;
  using Job = std::function<Delivery(std::stop_token)>;
  void start(Job job);
  void launch(Job job);
  void finish(const Delivery& deliver, const std::stop_token& stop);

  QThreadPool m_pool;
  QTimer m_patience;
  QElapsedTimer m_clock;
  qint64 m_lastDuration = 0;  ///< of work that was let finish, in milliseconds
  std::stop_source m_stop;
  Job m_waiting;
  bool m_running = false;
};

}  // namespace vqscope
