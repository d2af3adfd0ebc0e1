// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/method/curve_set.h"
#include "core/method/training/training_watch.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace vqscope {

/// Where a computation waits while it is paused. Any thread.
class Gate {
 public:
  void close();
  void open();
  bool isClosed() const;

  /// Returns when the gate is open, or at a stop.
  void pass(const std::stop_token& stop);

  /// The time that it has been closed, in all.
  double closedSeconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  double secondsSinceClosed() const;

  mutable std::mutex m_mutex;
  std::condition_variable_any m_opened;
  bool m_closed = false;
  Clock::time_point m_since;  ///< closed
  double m_seconds = 0;       ///< of former times
};

/// A computation of curves while it goes on: its worker reports to it, the GUI thread reads it,
/// pauses and ends it.
class LiveCurves {
 public:
  /// Work for the worker. `stop` ends it, as finish() does; `partial` gets curves before put()
  /// does.
  Work work(std::function<void(const CurveSet&)> partial);

  /// Values that are not computed yet are gaps.
  void put(CurveSet curves);
  /// Empty: no newer curves since the last call.
  std::optional<CurveSet> take();

  int percent() const;
  /// What has been done of all, in a few words; empty: the work does not say.
  std::string phase() const;
  /// Seconds of work, until now or end(); pauses do not count.
  double seconds() const;
  /// The worker is done; only the first call counts. `whole`: the curves, unless some are missing.
  void end(std::shared_ptr<const CurveSet> whole = nullptr);
  /// Waits for the worker, which goes on if it is paused, and reports its progress: the whole curves;
  /// null: there are none, or `work` was stopped. Not for the GUI's thread.
  std::shared_ptr<const CurveSet> await(const Work& work);
  /// Seconds to the end, if the rest takes as long as the work since the first training; nothing:
  /// not known yet.
  std::optional<double> remaining() const;
  const TrainingWatch& trainings() const { return m_trainings; }

  void setPaused(bool paused);
  bool isPaused() const { return m_gate.isClosed(); }
  /// Ends the work; what it gives is still delivered.
  void finish() { m_enough.request_stop(); }
  bool isFinishing() const { return m_enough.stop_requested(); }

 private:
  void report(double fraction);

  TrainingWatch m_trainings;
  Gate m_gate;
  std::stop_source m_enough;
  const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
  mutable std::mutex m_mutex;
  std::optional<CurveSet> m_newest;
  double m_fraction = 0;
  std::string m_phase;
  std::optional<double> m_seconds;          ///< of all the work, which is done
  std::shared_ptr<const CurveSet> m_whole;  ///< when it is done
  std::condition_variable_any m_ended;
  std::optional<std::pair<double, double>> m_trained;  ///< fraction and seconds at the first step of a training
};

}  // namespace vqscope
