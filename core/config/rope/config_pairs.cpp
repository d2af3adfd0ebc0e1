// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index longest = Index{1} << 32;

double turns_in(double inv_freq, Index tokens) {
  return static_cast<double>(tokens) * inv_freq / (2 * std::numbers::pi);
}

/// The divisor of the most scaled pair; 0 if each pair has a divisor of its own.
double whole_factor(const RopeScaling& s) {
  if (s.rope_type == "longrope") return 0;
  const double ratio = static_cast<double>(std::max(s.seq_len, s.original_max_position_embeddings)) /
                       static_cast<double>(s.original_max_position_embeddings);
  if (s.rope_type == "dynamic_linear") return ratio;
  return s.rope_type == "dynamic" ? s.factor * ratio - (s.factor - 1) : s.factor;
}

PairFate fate_of(double plain, double inv_freq, double whole) {
  if (std::abs(inv_freq / plain - 1) < same_ratio) return PairFate::kept;
  return whole == 0 || std::abs(inv_freq * whole / plain - 1) < same_ratio ? PairFate::scaled : PairFate::blended;
}

}  // namespace

std::vector<double> inv_freq_of(RopeScaling scaling, Index seq_len) {
  scaling.seq_len = seq_len;
  const auto all = rope_frequencies(scaling).inv_freq;
  return {all.begin(), all.end()};
}

Index served_length(const RopeUse& use) {
  const RopeScaling& s = use.scaling;
  const bool reaches = s.rope_type == "yarn" || s.rope_type == "dynamic";
  const double reach = reaches ? std::ceil(s.factor * static_cast<double>(s.original_max_position_embeddings)) : 0;
  return std::min(longest, std::max(use.max_position_embeddings, static_cast<Index>(reach)));
}

std::vector<ConfigPair> config_pairs(const RopeUse& use) {
  RopeScaling plain = use.scaling;
  plain.rope_type = "default";
  const auto without = inv_freq_of(plain, 0);
  const auto with = use.scaling.rope_type == "default" ? without : inv_freq_of(use.scaling, use.seq_len);
  const double whole = whole_factor(use.scaling);
  std::vector<ConfigPair> pairs;
  for (std::size_t i = 0; i < with.size(); ++i)
    pairs.push_back({.plain_inv_freq = without[i],
                     .inv_freq = with[i],
                     .wavelength = wavelength(with[i]),
                     .trained_turns = turns_in(without[i], use.scaling.original_max_position_embeddings),
                     .served_turns = turns_in(with[i], use.seq_len),
                     .fate = fate_of(without[i], with[i], whole)});
  return pairs;
}

}  // namespace vqscope
