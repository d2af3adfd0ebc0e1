// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/sequence/query_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index points = 1024;
/// The position whose error is reported as a fact.
constexpr Index reported_position = 131072;

const Citation citation{"IEEE 754-2019, section 4.3.1: to nearest, ties to even; Su et al. 2021, RoFormer, section 3.4",
                        "none compared: the arithmetic of the types"};

std::vector<const NumberType*> chosen_types(const ParameterValues& values) {
  std::vector<const NumberType*> types;
  for (const auto& id : values.choices("number_types")) types.push_back(&number_type(id));
  return types;
}

Index last_position(const ParameterValues& values) {
  return values.integer("past_len") + values.integer("q_length") - 1;
}

CurveSet over_positions(Index last) {
  CurveSet set{.x_name = "position", .x_title = "position (tokens)", .log_x = true, .log_y = true};
  set.x = integer_axis(1, std::max<Index>(last, 1), points, true);
  set.exact = static_cast<Index>(set.x.size()) >= last;
  return set;
}

double largest_error(Index position, std::span<const long double> inv_freq, const NumberType& type,
                     RopeRounding rounding) {
  double largest = 0;
  for (const long double each : inv_freq) {
    const double error = std::abs(angle_error(position, each, type, rounding));
    if (std::isnan(error)) return no_value;
    largest = std::max(largest, error);
  }
  return largest;
}

Result<CurveSet> make_errors(const ParameterValues& values, const Work& work) {
  const auto inv_freq = rope_frequencies(rope_scaling_from(values)).inv_freq;
  const RopeRounding rounding = rope_rounding_from(values);
  CurveSet set = over_positions(last_position(values));
  set.y_title = "largest angle error (rad)";
  set.formula =
      "largest |angle in the number type − position · inv_freq| over the pairs, not wrapped; from π on the "
      "phase is arbitrary; geometry of the encoding, not performance of a model";
  for (const NumberType* type : chosen_types(values)) {
    set.curves.push_back({type->id, {}});
    for (const double position : set.x) {
      if (work.stop.stop_requested()) return cancelled();
      const double error = largest_error(static_cast<Index>(position), inv_freq, *type, rounding);
      set.curves.back().y.push_back(error > 0 ? error : no_value);  // 0 has no place on a log axis
    }
    set.facts.emplace_back(fmt::format("error_at_{}_{}", reported_position, type->id),
                           largest_error(reported_position, inv_freq, *type, rounding));
  }
  set.levels = {{std::numbers::pi, "half a turn"}};
  return set;
}

Result<CurveSet> make_collisions(const ParameterValues& values, const Work& work) {
  CurveSet set = over_positions(last_position(values));
  set.y_title = "positions alike";
  set.formula =
      "how many whole numbers are rounded to the number that the position is rounded to; 1: it has its own; "
      "geometry of the type, not performance of a model";
  set.integer = set.steps = true;
  for (const NumberType* type : chosen_types(values)) {
    set.curves.push_back({type->id, {}});
    for (const double position : set.x) {
      if (work.stop.stop_requested()) return cancelled();
      const Index sharing = positions_sharing(static_cast<Index>(position), *type);
      set.curves.back().y.push_back(sharing == 0 ? no_value : static_cast<double>(sharing));
    }
    set.facts.emplace_back("first_collision_" + type->id, type->first_collision());
  }
  return set;
}

/// The first of [low, high] whose rounded value is not below `value`; rounding never changes the
/// order.
Index first_not_below(double value, Index low, Index high, const NumberType& type) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (type.rounded(static_cast<double>(middle)) >= value)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

Index positions_sharing(Index position, const NumberType& type) {
  const double value = type.rounded(static_cast<double>(position));
  if (!std::isfinite(value)) return 0;
  // A number's neighbours are no farther than two units of its own.
  const Index reach = 1 + static_cast<Index>(4 * type.unit() * value);
  const Index first = first_not_below(value, std::max<Index>(0, position - reach), position, type);
  const Index end =
      first_not_below(std::nextafter(value, std::numeric_limits<double>::infinity()), position, position + reach, type);
  return end - first;
}

Method rope_error_by_position_method() {
  auto parameters = rope_error_parameters();
  parameters.push_back(number_types_parameter());
  return {.id = "rope_error_by_position",
          .title = "RoPE error by position",
          .category = "precision",
          .help = "Largest angle error over all pairs, for each number type.",
          .citation = citation,
          .parameters = std::move(parameters),
          .check =
              [](const ParameterValues& values) {
                auto chosen_types = check_chosen(values, "number_types");
                return chosen_types ? check_rope(values) : chosen_types;
              },
          .recipe = CurveRecipe{.make = make_errors}};
}

Method position_collisions_method() {
  auto parameters = query_parameters(SequenceUse::lengths, reported_position);
  parameters.push_back(number_types_parameter());
  return {.id = "position_collisions",
          .title = "Positions that collide",
          .category = "precision",
          .help = "Number of positions that a number type cannot distinguish.",
          .citation = citation,
          .parameters = std::move(parameters),
          .check = [](const ParameterValues& values) { return check_chosen(values, "number_types"); },
          .recipe = CurveRecipe{.make = make_collisions}};
}

}  // namespace vqscope
