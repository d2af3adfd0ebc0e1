// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 2> whole_names{"q_length", "length_max"};
constexpr std::array<std::string_view, 3> part_names{"n_code", "n_code_max", "segment_len"};
/// Methods that compare lengths beyond a training length have both.
constexpr std::string_view trained_name = "original_max_position_embeddings", multiple_name = "reach";
/// The multiple of short tensors.
constexpr Index least_multiple = 8;
/// Keys that codewords are learnt from: more change them little, and cost memory.
constexpr std::string_view learnt_from_name = "train_keys";
constexpr Index most_learnt_from = 32768;

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

Index default_of(const ParameterSpec& spec) { return std::get<Index>(spec.default_value); }

Index nearest_length(const ParameterSpec& spec, Index value) {
  return std::clamp(value, static_cast<Index>(spec.minimum), static_cast<Index>(spec.maximum));
}

Index trained_for(const ParameterSpec& trained, Index tokens) {
  return nearest_length(trained, std::min(default_of(trained), tokens / least_multiple));
}

}  // namespace

std::optional<Index> length_for_tensors(std::span<const ParameterSpec> specs, const ParameterSpec& spec, Index tokens) {
  if (!std::holds_alternative<Index>(spec.default_value)) return std::nullopt;
  if (is_among(whole_names, spec.name)) return nearest_length(spec, tokens);
  if (is_among(part_names, spec.name))
    return tokens > default_of(spec) ? default_of(spec) : std::max<Index>(tokens / 4, 1);
  const ParameterSpec* trained = find_spec(specs, trained_name);
  const ParameterSpec* multiple = find_spec(specs, multiple_name);
  if (!trained || !multiple) return std::nullopt;
  const Index length = trained_for(*trained, tokens);
  if (spec.name == trained_name) return length;
  if (spec.name == multiple_name) return nearest_length(spec, std::min(default_of(spec), tokens / length));
  return std::nullopt;
}

std::optional<ParameterValue> value_for_tensors(std::span<const ParameterSpec> specs, const ParameterSpec& spec,
                                                Index tokens) {
  if (spec.name == "normalize") return std::string(norm_of_tensors);
  if (spec.name == "steps" && find_spec(specs, learnt_from_name)) return steps_for_tensors;
  if (spec.name == learnt_from_name) return nearest_length(spec, std::min(tokens, most_learnt_from));
  if (const auto length = length_for_tensors(specs, spec, tokens)) return *length;
  return std::nullopt;
}

bool is_tensor_length(std::string_view name) { return is_among(whole_names, name) || is_among(part_names, name); }

}  // namespace vqscope
