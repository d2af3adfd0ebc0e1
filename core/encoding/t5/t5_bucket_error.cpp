// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <limits>
#include <set>

namespace vqscope {
namespace {

const Citation t5_bucket_error_citation{"Raffel et al. 2020, Exploring the Limits of Transfer Learning, section 2.1",
                                        "Hugging Face transformers, T5 _relative_position_bucket"};

constexpr Index most_points = 4096;

/// The parameters but `precision`, which is what is compared here.
std::vector<ParameterSpec> bucket_parameters() {
  auto specs = t5_bucket_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "precision"; });
  return specs;
}

T5Buckets buckets_in(const ParameterValues& values, std::string_view arithmetic) {
  ParameterValues complete = values;
  complete.set("precision", std::string("exact"));
  T5Buckets t5 = t5_buckets_from(complete);
  t5.arithmetic = t5_arithmetic(arithmetic);
  return t5;
}

Result<void> check_t5_bucket_error(const ParameterValues& values) { return buckets_in(values, "exact").check(); }

/// Constant from each relative position on where either of the two begins another bucket.
Result<RelativeFunction> t5_bucket_error_function(const ParameterValues& values) {
  const T5Buckets rounded = buckets_in(values, values.choice("number_type"));
  const T5Buckets exact = buckets_in(values, "exact");
  std::set<Index> begins;
  for (const StepFunction& steps : {rounded.steps(), exact.steps()})
    begins.insert(steps.start.begin() + 1, steps.start.end());
  const auto piece = [&](Index begin, Index relative) {
    return constant_from(begin, static_cast<double>(rounded.bucket(relative) - exact.bucket(relative)));
  };
  // Before the first of them everything is in the last bucket of both.
  RelativeFunction f{{begins.empty() ? constant_from(before_all, 0) : piece(before_all, *begins.begin() - 1)}};
  for (const Index begin : begins) f.pieces.push_back(piece(begin, begin));
  return f;
}

std::string why_t5_bucket_error(const ParameterValues& values, Index relative) {
  const std::string& type = values.choice("number_type");
  return fmt::format("{}: bucket {} in {}, {} with real numbers", place_text(relative),
                     buckets_in(values, type).bucket(relative), type, buckets_in(values, "exact").bucket(relative));
}

Index error_at(const T5Buckets& rounded, const T5Buckets& exact, Index distance) {
  return rounded.distance_bucket(distance) - exact.distance_bucket(distance);
}

/// How many distances have another bucket, and the first: those between where a bucket begins in
/// the one and the other.
void add_facts(CurveSet& set, const std::string& type, const T5Buckets& rounded, const T5Buckets& exact) {
  Index wrong = 0;
  Index first = -1;
  Index counted = 0;
  for (Index bucket = 1; bucket < exact.per_direction(); ++bucket) {
    const auto [low, high] = std::minmax({rounded.first_distance(bucket), exact.first_distance(bucket)});
    if (low == high) continue;
    wrong += std::max<Index>(0, high - std::max(low, counted));
    counted = std::max(counted, high);
    if (first < 0) first = low;
  }
  set.facts.emplace_back("first_wrong_" + type,
                         first < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(first));
  set.facts.emplace_back("distances_wrong_" + type, static_cast<double>(wrong));
}

Result<CurveSet> make_t5_bucket_error_curve(const ParameterValues& values, const Work& work) {
  const T5Buckets exact = buckets_in(values, "exact");
  const Index reach = exact.max_distance + std::max<Index>(exact.max_distance / 4, 2);
  CurveSet set{.x_name = "distance",
               .x_title = "distance n (tokens)",
               .y_title = "bucket − bucket of real numbers",
               .formula =
                   "bucket(n) with every operation rounded to the number type, minus bucket(n) of real numbers; "
                   "geometry of the encoding, not performance of a model",
               .steps = true,
               .integer = true};
  set.x = mixed_axis(0, reach, most_points);
  set.exact = static_cast<Index>(set.x.size()) == reach + 1;
  for (const auto& type : values.choices("number_types")) {
    const T5Buckets rounded = buckets_in(values, type);
    set.curves.push_back({type, {}});
    for (const double n : set.x) {
      if (work.stop.stop_requested()) return cancelled();
      set.curves.back().y.push_back(static_cast<double>(error_at(rounded, exact, static_cast<Index>(n))));
    }
    add_facts(set, type, rounded, exact);
  }
  set.levels = {{0, "no difference"}};
  return set;
}

}  // namespace

Method t5_bucket_error_method() {
  auto parameters = bucket_parameters();
  parameters.push_back(number_type_parameter());
  return relative_method(
      {.id = "t5_bucket_error",
       .title = "T5 bucket error",
       .category = "precision",
       .help =
           "T5 bucket computed in the given number type, minus the exact bucket. Hugging Face always casts to float32.",
       .citation = t5_bucket_error_citation,
       .parameters = std::move(parameters),
       .check = check_t5_bucket_error,
       .value_name = "bucket error",
       .difference = true,
       .logarithmic = true,
       .related = {"t5_error_by_distance"},
       .function = t5_bucket_error_function,
       .why = why_t5_bucket_error});
}

Method t5_error_by_distance_method() {
  auto parameters = bucket_parameters();
  parameters.push_back(number_types_parameter());
  return {.id = "t5_error_by_distance",
          .title = "T5 error by distance",
          .category = "precision",
          .help = "Bucket boundaries that move because of rounding in a number type.",
          .citation = t5_bucket_error_citation,
          .parameters = std::move(parameters),
          .check =
              [](const ParameterValues& values) {
                auto chosen = check_chosen(values, "number_types");
                return chosen ? check_t5_bucket_error(values) : chosen;
              },
          .recipe = CurveRecipe{.make = make_t5_bucket_error_curve}};
}

}  // namespace vqscope
