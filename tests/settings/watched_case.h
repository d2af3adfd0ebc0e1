// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/setting_case.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace vqscope::settings {

/// Seconds of a steady clock.
double now_seconds();

/// Seconds of processor time that this process has had: what does not depend on who else uses the
/// machine.
double processor_seconds();

/// Requests a stop some time after the start, and ends the process if it has no effect: a hanging
/// thread cannot be ended otherwise. `what` is printed then, and where the process crashes.
class Watchdog {
 public:
  /// `idle_timeout`: seconds from the stop to the end of the process.
  explicit Watchdog(double idle_timeout);

  /// From now on a stop is requested after `seconds` of the clock, or where `processor` of the
  /// process's time.
  std::stop_token start(double seconds, bool processor, std::string what);

  struct Watched {
    double seconds = 0;                        ///< from start to finish
    double processor = 0;                      ///< the same of processor time
    std::optional<double> stop_seconds;        ///< seconds from the stop to finish, where one was requested
    std::optional<double> reported_processor;  ///< the same of processor time
  };
  Watched finish();

 private:
  double left() const;
  void watch(const std::stop_token& over);

  double m_idleTimeout;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::stop_source m_source;
  std::string m_what;
  bool m_running = false;
  bool m_by_processor = false;
  double m_limit = 0;
  double m_began = 0;
  double m_began_processor = 0;
  std::optional<double> m_stopped;
  double m_stopped_processor = 0;
  std::jthread m_thread;
};

}  // namespace vqscope::settings
