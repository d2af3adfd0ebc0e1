// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace vqscope
