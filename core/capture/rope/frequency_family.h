// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace vqscope {

/// Formulas of frequencies that are told from turns, simplest first. `proportional` has the
/// exponents of the whole head, and only some of its pairs turn.
enum class FrequencyRule { plain, linear, proportional, llama3, yarn };
inline constexpr std::array frequency_rules{FrequencyRule::plain, FrequencyRule::linear, FrequencyRule::proportional,
                                            FrequencyRule::llama3, FrequencyRule::yarn};
/// As a config's rope_type: default, linear, proportional, llama3, yarn.
std::string_view name_of(FrequencyRule rule);

/// A rule with its numbers.
struct FrequencyFamily {
  FrequencyRule rule = FrequencyRule::plain;
  double theta = 10000;
  double factor = 1;     ///< linear, llama3, yarn
  double original = 0;   ///< llama3, yarn: the trained length
  bool is_round = true;  ///< all of them are round numbers

  /// Radians a position, by pair, of a head of `head_dim` columns of which `rotary_dim` turn.
  std::vector<double> frequencies(Index pairs, Index rotary_dim, Index head_dim) const;
};

/// Frequencies as they were measured.
struct MeasuredFrequencies {
  std::span<const double> value;
  std::span<const double> variance;
  Index rotary_dim = 0;
  Index head_dim = 0;
};

struct FittedFamily {
  FrequencyFamily family;
  double misfit = 0;  ///< Σ (measured − family)² / variance
};

/// The numbers of the rule that fit best, and round ones that fit nearly as well: rounded frequencies
/// are told from each other only by what they predict exactly.
std::vector<FittedFamily> fitted(FrequencyRule rule, const MeasuredFrequencies& measured);

/// Only theta on a grid, for many measurements in a row: plain and linear.
double rough_misfit(FrequencyRule rule, const MeasuredFrequencies& measured);

}  // namespace vqscope
