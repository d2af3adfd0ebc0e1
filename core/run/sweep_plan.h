// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as the user specifies it, on the command line or in the window.
#pragma once

#include "core/run/sweep.h"

#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// `--vary name=values`.
struct VaryText {
  std::string name;
  std::string values;
  friend bool operator==(const VaryText&, const VaryText&) = default;
};

inline constexpr Index most_seeds = most_sweep_points;
inline constexpr Index most_jobs = 1024;  ///< points computed at a time

/// The text parsed by parse_varied; an unknown name is refused.
Result<Varied> vary(const Method& method, const VaryText& text);

/// `--seeds count`: the seed of `values` and the count - 1 after it. Refuses a method without a
/// seed.
Result<Varied> vary_seed(const Method& method, const ParameterValues& values, Index count);

struct SweepPlan {
  const Method* method = nullptr;
  ParameterValues values;  ///< of a form: all of them; those that vary are ignored
  std::vector<VaryText> varied;
  Index seeds = 1;  ///< 1: the seed does not vary, unless it is among `varied`

  friend bool operator==(const SweepPlan&, const SweepPlan&) = default;
};

/// The plan of a sweep that was read from a file: sweep_of turns it back into the same sweep.
SweepPlan plan_of(const Sweep& sweep);

/// Checks everything. A value that no point uses takes its default, as on a command line, where it
/// cannot be set.
Result<Sweep> sweep_of(const SweepPlan& plan, const std::stop_token& stop = {});

/// The words after `vqscope` that give the same sweep from the same plan.
std::vector<std::string> sweep_words(const SweepPlan& plan, const Sweep& sweep, const std::string& folder, Index jobs);

/// The words as a POSIX shell command line, `vqscope` first.
std::string command_line(const std::vector<std::string>& words);

}  // namespace vqscope
