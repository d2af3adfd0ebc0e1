// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace vqscope::monkey {

/// The event loop was away for too long.
struct Stall {
  double seconds = 0;  ///< without the time in which the thread waited for a processor
  QString event;       ///< the one that was being handled
  QString stack;       ///< of the GUI thread when the limit was reached
};

/// Posts an event to the GUI thread over and over and measures when it is handled, from a thread of
/// its own. Made, used and deleted on the GUI thread.
class Watchdog : public QObject {
  Q_OBJECT
 public:
  explicit Watchdog(double limit);
  ~Watchdog() override;

  /// Another limit from now on: a start may take longer than a click.
  void setLimit(double seconds) { m_limit = seconds; }

  /// Over the limit, in the order of time; without those in which a save, or Qt's file dialog,
  /// waits for the kernel.
  std::vector<Stall> stalls() const;
  /// How many those are.
  int kernelStalls() const;
  double worst() const;
  /// The latency below which `fraction` of the measured ones are.
  double quantile(double fraction) const;

 protected:
  bool event(QEvent* event) override;

 private:
  using Clock = std::chrono::steady_clock;

  void watch(const std::stop_token& stop);
  void measure(const std::stop_token& stop);

  std::atomic<double> m_limit;
  const int m_guiThread;  ///< the system's id of it
  const pthread_t m_guiHandle;
  std::atomic<Clock::rep> m_answered = 0;  ///< when the last posted event was handled
  mutable std::mutex m_mutex;
  std::vector<Stall> m_stalls;
  int m_kernelStalls = 0;
  std::vector<float> m_latencies;
  std::jthread m_thread;
};

}  // namespace vqscope::monkey
