// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/mutate/reader.h"

#include <cstdint>

namespace vqscope::mutate {

struct Run {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  double seconds = 0;  ///< of a reader; 0: as long as it takes
  unsigned jobs = 1;
  std::string folder;  ///< for what fails, and for commands to run in
};

struct Tally {
  std::uint64_t inputs = 0;
  int failures = 0;
  double seconds = 0;
  double slowest = 0;        ///< seconds of an input
  std::uint64_t memory = 0;  ///< bytes, the most that a process held
};

/// Input `index` of a seed.
Bytes input_of(const Reader& reader, std::uint64_t seed, std::uint64_t index);

/// Reads the inputs first, first + 1, … in processes of their own. Inputs that crash, take too long
/// or too much, or give an invalid message are reported with a line that repeats them, and written
/// into the folder.
Tally run(const Reader& reader, const Run& run);

}  // namespace vqscope::mutate
