// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

// A sweep runs one method for every combination of values of some of its parameters.

/// Larger sweeps would take too long and fill a folder with too many files.
inline constexpr Index most_sweep_points = 100'000;

/// One parameter and its values, in the order given, each once.
struct Varied {
  std::string name;  ///< of a ParameterSpec
  std::vector<ParameterValue> values;
};

/// The values after `--vary name=`: separated by commas (by semicolons if a value may contain
/// commas: a list or a text), or for a number `lo:hi`, `lo:hi:step` or `lo:hi:*factor`; hi is
/// included if a step meets it. Errors name the parameter.
Result<std::vector<ParameterValue>> parse_varied(const ParameterSpec& spec, std::string_view text);

/// Whether semicolons separate the values of this parameter.
bool holds_commas(const ParameterSpec& spec);

struct Sweep {
  const Method* method = nullptr;
  ParameterValues fixed;       ///< of every parameter; those that vary may have any value
  std::vector<Varied> varied;  ///< the last one changes first from point to point
};

/// Refuses a sweep whose method has no curves, that has no points or more than most_sweep_points,
/// that varies a parameter twice, or that has a point with values that the method refuses or does
/// not use: the error names the first such point.
Result<void> check_sweep(const Sweep& sweep, const std::stop_token& stop = {});

/// The product of the numbers of values, as a double because it may not fit 64 bits.
double point_count(const Sweep& sweep);

/// One point: its values and the id of its run.
struct SweepPoint {
  std::string id;  ///< run_id of the values
  ParameterValues values;
};

/// Point `index` of [0, point_count).
SweepPoint sweep_point(const Sweep& sweep, Index index);

/// The value of varied[which] in that point.
const ParameterValue& varied_value(const Sweep& sweep, Index index, std::size_t which);

/// The values that vary, for display: "n_code=64 seed=3".
std::string point_text(const Sweep& sweep, const SweepPoint& point);

/// 16 hexadecimal digits that depend only on the method's id and on the names and values: the same
/// on every machine and in every version with the same parameters (FNV-1a, 64 bits; Fowler, Noll
/// and Vo).
std::string run_id(const Method& method, const ParameterValues& values);

/// The same for a whole sweep: sweeps with the same points in the same order have the same id.
std::string sweep_id(const Sweep& sweep);

// A sweep as the user specifies it, on the command line or in the window.

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
