// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/setting_case.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace vqscope::settings {

/// Seconds of a clock that stands still for nobody.
double now_seconds();

/// Requests a stop some time after it was started, and ends the process when that is not heard: whoever hangs cannot be
/// told otherwise. `what` is printed then.
class Watchdog {
 public:
  /// `patience`: seconds from the stop to the end of the process.
  explicit Watchdog(double patience)
      : m_patience(patience), m_thread([this](const std::stop_token& over) { watch(over); }) {}

  /// From now on a stop is requested after `seconds`.
  std::stop_token start(double seconds, std::string what);

  struct Watched {
    double seconds = 0;           ///< from start to finish
    std::optional<double> heard;  ///< seconds from the stop to finish, where one was requested
  };
  Watched finish();

 private:
  void watch(const std::stop_token& over);

  double m_patience;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::stop_source m_source;
  std::string m_what;
  bool m_running = false;
  double m_began = 0;
  double m_stop_at = 0;
  std::optional<double> m_stopped;
  std::jthread m_thread;
};

}  // namespace vqscope::settings
