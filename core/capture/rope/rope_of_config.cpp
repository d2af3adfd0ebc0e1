// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_of_config.h"

#include "core/base/sentence.h"
#include "core/config/rope/rope_reading.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double same_frequency = 0.005;
/// Radians within all rows, up to which two slow frequencies are the same.
constexpr double same_turn = 0.02;
constexpr double same_factor = 0.003;

bool near(double a, double b, double within) { return std::abs(a - b) <= within * std::abs(b); }

/// Positions from the first to the last.
double span_of(const WhichRope& rope) {
  Index least = rope.positions.front().front(), most = least;
  for (const auto& axis : rope.positions)
    for (const Index position : axis) least = std::min(least, position), most = std::max(most, position);
  return static_cast<double>(std::max(most - least, Index{1}));
}

/// Frequencies of a config for a short sequence and for the longest: some types follow the length.
std::vector<std::vector<double>> frequencies_of(const RopeUse& use, Index length) {
  return {inv_freq_of(use.scaling, length), inv_freq_of(use.scaling, use.seq_len)};
}

/// The first pair that turns otherwise; nothing: none.
std::optional<std::size_t> differing_pair(const WhichRope& rope, const std::vector<double>& config) {
  const double span = span_of(rope);
  for (std::size_t k = 0; k < std::max(rope.inv_freq.size(), config.size()); ++k) {
    const double seen = k < rope.inv_freq.size() ? rope.inv_freq[k] : 0;
    const double said = k < config.size() ? config[k] : 0;
    if (!near(seen, said, same_frequency) && std::abs(seen - said) * span > same_turn) return k;
  }
  return {};
}

bool is_default(const std::string& type) { return type.empty() || type == "default" || type == "mrope"; }

std::string shown_number(double value) { return to_text(value, 6); }

void add_formula(const WhichRope& rope, const RopeUse& use, std::size_t pair, const std::vector<double>& config,
                 std::vector<std::string>& all) {
  const std::size_t before = all.size();
  const bool plain = rope.rope_type && is_default(*rope.rope_type);
  const double theta = use.scaling.rope_theta;
  if (rope.rope_type && *rope.rope_type != "unknown" && plain != is_default(use.scaling.rope_type))
    all.push_back(fmt::format("the tensors turn as {}, the config says {}", *rope.rope_type,
                              is_default(use.scaling.rope_type) ? "default" : use.scaling.rope_type));
  if (rope.rope_theta && !near(*rope.rope_theta, theta, same_frequency))
    all.push_back(fmt::format("the tensors turn with theta {}, the config says {}", shown_number(*rope.rope_theta),
                              shown_number(theta)));
  if (rope.factor && !is_default(use.scaling.rope_type) && !near(*rope.factor, use.scaling.factor, same_frequency))
    all.push_back(fmt::format("the tensors turn with factor {}, the config says {}", shown_number(*rope.factor),
                              shown_number(use.scaling.factor)));
  if (rope.rotary_dim && *rope.rotary_dim != use.scaling.rotated())
    all.push_back(
        fmt::format("{} columns of the tensors turn, the config says {}", *rope.rotary_dim, use.scaling.rotated()));
  if (all.size() > before) return;
  all.push_back(fmt::format("pair {} turns by {} radians a position, by the config it is {}", pair,
                            shown_number(pair < rope.inv_freq.size() ? rope.inv_freq[pair] : 0),
                            shown_number(pair < config.size() ? config[pair] : 0)));
}

std::vector<std::string> differences(const WhichRope& rope, const RopeUse& use) {
  std::vector<std::string> all;
  const auto length = static_cast<Index>(rope.positions.front().size());
  const auto frequencies = frequencies_of(use, length);
  const auto pair = differing_pair(rope, frequencies.front());
  if (pair && differing_pair(rope, frequencies.back())) add_formula(rope, use, *pair, frequencies.front(), all);
  const bool whole = rope.head_dim == rope.rotary_dim;
  const auto plain = [&](PairLayout layout) {
    return whole && layout == PairLayout::head_split ? PairLayout::half_split : layout;
  };
  if (rope.pair_layout && plain(*rope.pair_layout) != plain(use.pair_layout()))
    all.push_back(fmt::format("pairs of the tensors are {}, those of the config {}", name_of(*rope.pair_layout),
                              name_of(use.pair_layout())));
  if (!near(rope.attention_factor, use.attention_factor, same_factor))
    all.push_back(fmt::format("cos and sin of the tensors are multiplied by {}, by the config it is {}",
                              shown_number(rope.attention_factor), shown_number(use.attention_factor)));
  if (rope.cast)
    all.push_back(fmt::format("{} were rounded to {}", rope.cast->what == "cos_sin" ? "cos and sin" : rope.cast->what,
                              rope.cast->dtype));
  return all;
}

}  // namespace

std::vector<std::string> differences_from_config(const WhichRope& rope, const ConfigReport& config) {
  std::optional<std::vector<std::string>> least;
  for (const RopeUse& use : config.ropes)
    if (auto next = differences(rope, use); !least || next.size() < least->size()) least = std::move(next);
  if (!least) return {"the tensors turn, the config has no RoPE"};
  return *least;
}

}  // namespace vqscope
