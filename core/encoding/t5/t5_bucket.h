// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/step_field.h"
#include "core/method/parameter.h"

namespace vqscope {

/// Which arithmetic decides ties: Hugging Face's float32, real numbers, or the same steps in
/// another type.
enum class T5Arithmetic { hf_float32, exact, float64, bfloat16, float16 };

/// Relative position buckets of T5 (Raffel et al. 2020, section 2.1; Hugging Face `_relative_position_bucket`).
///
/// Per direction there are `per_direction` buckets. Distances below max_exact = per_direction / 2 have one each; the
/// others share the rest logarithmically up to max_distance, beyond which all share the last:
///   bucket(n) = n                                                                              for n < max_exact
///   bucket(n) = min(per_direction - 1, max_exact + floor(ln(n / max_exact) / ln(max_distance / max_exact)
///                                                        * (per_direction - max_exact)))       otherwise
/// Bidirectional: keys ahead of the query use the upper half of num_buckets, n = |relative_position|.
/// Otherwise: keys ahead of the query share bucket 0, n = -relative_position.
struct T5Buckets {
  Index num_buckets = 32;
  Index max_distance = 128;
  bool bidirectional = true;
  T5Arithmetic arithmetic = T5Arithmetic::hf_float32;

  Index per_direction() const { return bidirectional ? num_buckets / 2 : num_buckets; }
  Index max_exact() const { return per_direction() / 2; }

  /// Refuses an odd num_buckets when bidirectional and a max_distance that is not beyond max_exact.
  Result<void> check() const;

  Index bucket(Index relative_position) const;
  /// Bucket of a distance n >= 0 within one direction.
  Index distance_bucket(Index n) const;
  /// Smallest distance that falls into `bucket` or a later one of one direction.
  Index first_distance(Index bucket) const;
  /// bucket() as a function of relative_position.
  StepFunction steps() const;
};

/// num_buckets, max_distance, bidirectional, precision.
std::vector<ParameterSpec> t5_bucket_parameters();
T5Buckets t5_buckets_from(const ParameterValues& values);
/// The arithmetic for a choice of `precision` or the id of a NumberType; float32 is Hugging Face's.
T5Arithmetic t5_arithmetic(std::string_view id);

/// The value of each bucket [num_heads][num_buckets].
Result<std::vector<std::vector<double>>> t5_bias_table(const ParameterValues& values);

/// Parameters of t5_bias beside the lengths.
std::vector<ParameterSpec> t5_bias_own_parameters();

}  // namespace vqscope
