// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace vqscope {

/// The machine on which times were measured.
struct Machine {
  std::string processor;  ///< empty: unknown
  int cores = 1;          ///< that run at once
  double memory = 0;      ///< bytes; 0: unknown
};

Machine this_machine();

/// The name of the first processor in the text of /proc/cpuinfo; empty: it has none.
std::string processor_name(std::istream& cpuinfo);

/// Measures time from its construction on.
class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

}  // namespace vqscope
