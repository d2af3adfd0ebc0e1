// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep is one method carried out for every combination of the values that some of its parameters take.
#pragma once

#include "core/method/method.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// More points than a person could wait for or a folder hold.
inline constexpr Index most_sweep_points = 100'000;

/// One parameter and the values that it takes, in the order given, none of them twice.
struct Varied {
  std::string name;  ///< of a ParameterSpec
  std::vector<ParameterValue> values;
};

/// What stands after `--vary name=`: values that commas part (semicolons where a value may hold commas itself: a list,
/// a text), or, of a number, `lo:hi`, `lo:hi:step` and `lo:hi:*factor`, both ends included where they are met. Errors
/// name the parameter.
Result<std::vector<ParameterValue>> parse_varied(const ParameterSpec& spec, std::string_view text);

/// Whether semicolons part the values of this parameter.
bool holds_commas(const ParameterSpec& spec);

struct Sweep {
  const Method* method = nullptr;
  ParameterValues fixed;       ///< of every parameter; those that vary have any value
  std::vector<Varied> varied;  ///< the last one changes first from point to point
};

/// Refuses a sweep whose method has no curves, that has no points or more than most_sweep_points, that varies a
/// parameter twice, or one of whose points has values that the method refuses or does not look at: the sentence names
/// the first such point.
Result<void> check_sweep(const Sweep& sweep, const std::stop_token& stop = {});

/// The product of the numbers of values, as a double: it may leave 64 bits.
double point_count(const Sweep& sweep);

/// One point: what is computed, and by which name it is known.
struct SweepPoint {
  std::string id;  ///< run_id of the values
  ParameterValues values;
};

/// Point `index` of [0, point_count).
SweepPoint sweep_point(const Sweep& sweep, Index index);

/// The value of varied[which] in that point.
const ParameterValue& varied_value(const Sweep& sweep, Index index, std::size_t which);

/// The values that vary, as a person reads them: "n_code=64 seed=3".
std::string point_text(const Sweep& sweep, const SweepPoint& point);

/// 16 hexadecimal digits that depend on the method's id and on the names and values alone: the same on every machine
/// and in every version that has the same parameters (FNV-1a, 64 bits; Fowler, Noll and Vo).
std::string run_id(const Method& method, const ParameterValues& values);

/// The same of a whole sweep: two that have the same points in the same order have the same one.
std::string sweep_id(const Sweep& sweep);

}  // namespace vqscope
