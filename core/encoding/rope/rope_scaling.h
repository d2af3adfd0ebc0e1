// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/method/parameter.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Real numbers, or float32 in the order of Hugging Face and torch.
enum class RopePrecision { exact, hf_float32 };

/// How YaRN goes from kept to interpolated pairs: linearly in the pair's index, as its authors'
/// code and every library, or linearly in the pair's turns within the training length, as the
/// paper.
enum class YarnRamp { dimension_index, rotation_count };

/// Parameters that determine the frequencies of RoPE (Su et al. 2021) under one of its scalings.
struct RopeScaling {
  std::string rope_type = "default";
  Index head_dim = 128;
  Index rotary_dim = 0;  ///< 0: head_dim
  double rope_theta = 10000;
  double factor = 4;
  Index original_max_position_embeddings = 4096;  ///< the training length
  Index seq_len = 0;                              ///< longest sequence seen; types that follow it read it
  double beta_fast = 32;                          ///< yarn: turns within the training length from which a pair is kept
  double beta_slow = 1;                           ///< yarn: turns up to which it is interpolated
  bool truncate = true;                           ///< yarn: the ends of the ramp are whole pairs
  YarnRamp yarn_ramp = YarnRamp::dimension_index;
  double attention_factor = 0;       ///< yarn, longrope; 0: default_attention_factor
  double mscale = 0;                 ///< yarn: 0: not given
  double mscale_all_dim = 0;         ///< yarn: 0: not given
  double low_freq_factor = 1;        ///< llama3: fewer turns within the training length are scaled
  double high_freq_factor = 4;       ///< llama3: more turns are kept
  double ntk_factor = 1;             ///< ntk_by_parts: share of NTK in its first blend, 0 to 1
  double extrapolation_factor = 1;   ///< ntk_by_parts: share of kept frequencies in its second blend, 0 to 1
  double beta_0 = 1.25;              ///< ntk_by_parts: turns from which the first blend is all NTK
  double beta_1 = 0.75;              ///< ntk_by_parts: turns up to which it is all interpolation
  double gamma_0 = 16;               ///< ntk_by_parts: turns from which a pair is kept
  double gamma_1 = 2;                ///< ntk_by_parts: turns up to which only the first blend applies
  std::vector<double> short_factor;  ///< longrope: by pair, up to the training length; empty: 1
  std::vector<double> long_factor;   ///< longrope: by pair, beyond it; empty: factor
  RopePrecision precision = RopePrecision::exact;

  Index rotated() const { return rotary_dim == 0 ? head_dim : rotary_dim; }
  Index pairs() const { return rotated() / 2; }

  /// Refuses odd sizes, a rotary_dim above head_dim, types whose exponent has no value, ends of a
  /// ramp in the wrong order, and lists of another length than the pairs'.
  Result<void> check() const;
};

/// Radians a position, by pair; under hf_float32 every number is a float.
struct RopeFrequencies {
  std::vector<long double> inv_freq;
  double attention_factor = 1;  ///< cos and sin are multiplied by it
};

/// One row of the table of RoPE types.
struct RopeType {
  using Function = RopeFrequencies (*)(const RopeScaling&);

  std::string id;
  std::string help;
  std::vector<std::string> uses;  ///< parameters that only some types look at
  Function exact;
  Function hf_float32;

  bool reads(std::string_view parameter) const;
};

std::span<const RopeType> rope_types();

/// The row of that id, which must be there: parameters are checked against the same table.
const RopeType& rope_type(std::string_view id);

RopeFrequencies rope_frequencies(const RopeScaling& scaling);

/// Tokens of one whole turn, 2π / inv_freq.
double wavelength(long double inv_freq);

/// The knobs of RopeScaling, by their names in a model's config.json.
std::vector<ParameterSpec> rope_scaling_parameters();

/// The same after q_length and past_len, which seq_len follows.
std::vector<ParameterSpec> rope_curve_parameters(Index default_q_length);

/// Reads them; a seq_len of 0, or none, becomes past_len + q_length.
RopeScaling rope_scaling_from(const ParameterValues& values);

/// The same as values of rope_scaling_parameters().
ParameterValues rope_scaling_values(const RopeScaling& scaling);

}  // namespace vqscope
