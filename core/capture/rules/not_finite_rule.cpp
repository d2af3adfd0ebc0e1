// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/capture/rules/layer_rules.h"
#include "core/capture/rules/rule_tensor.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_of_a_block = Index{1} << 20;

/// Scores of hidden keys are -infinity: that is as it should be.
bool is_wrong(float value, TensorRole role) {
  const bool may_hide = role == TensorRole::scores || role == TensorRole::raw;
  return std::isnan(value) || (std::isinf(value) && (value > 0 || !may_hide));
}

struct WrongNumber {
  std::array<Index, 4> at{};
  float value = 0;
};

Result<std::optional<WrongNumber>> first_wrong(const LayerTensor& tensor, TensorRole role,
                                               const std::stop_token& stop) {
  const auto& n = tensor.reading.extent;
  const Index rows = std::clamp(most_of_a_block / std::max(n[3], Index{1}), Index{1}, n[2]);
  // Small heads and samples are read together.
  const Index heads = rows < n[2] ? 1 : std::clamp(most_of_a_block / (n[2] * n[3]), Index{1}, n[1]);
  const Index samples = heads < n[1] ? 1 : std::clamp(most_of_a_block / (n[1] * n[2] * n[3]), Index{1}, n[0]);
  std::vector<float> values;
  for (Index b = 0; b < n[0]; b += samples)
    for (Index h = 0; h < n[1]; h += heads)
      for (Index row = 0; row < n[2]; row += rows) {
        if (stop.stop_requested()) return cancelled();
        const Range of_samples{b, std::min(b + samples, n[0])}, of_heads{h, std::min(h + heads, n[1])};
        const Range some{row, std::min(row + rows, n[2])};
        values.resize(static_cast<std::size_t>(of_samples.size() * of_heads.size() * some.size() * n[3]));
        if (auto read = tensor.read({of_samples, of_heads, some, Range{0, n[3]}}, values); !read) return read.error();
        const auto wrong = std::ranges::find_if(values, [role](float x) { return is_wrong(x, role); });
        if (wrong == values.end()) continue;
        const Index at = wrong - values.begin(), line = at / n[3], block = line / some.size();
        return std::optional(WrongNumber{
            {b + block / of_heads.size(), h + block % of_heads.size(), row + line % some.size(), at % n[3]}, *wrong});
      }
  return std::optional<WrongNumber>();
}

/// "; the mask hides every key of the row".
Result<std::string> reason(const Capture& capture, Index layer, TensorRole role, const WrongNumber& wrong) {
  const bool is_of_rows = axes_of(role) == TensorAxes::cells || role == TensorRole::out;
  if (role == TensorRole::hidden_in) return std::string("; it came into the layer");
  const auto mask = open_tensor(capture, layer, TensorRole::mask);
  if (!mask) return mask.error();
  if (!is_of_rows || !*mask) return std::string();
  const auto visible = visible_keys(**mask, wrong.at[0], wrong.at[1], wrong.at[2]);
  if (!visible) return visible.error();
  const bool none = !visible->empty() && std::ranges::none_of(*visible, [](bool each) { return each; });
  return std::string(none ? "; the mask hides every key of the row" : "");
}

}  // namespace

RuleAnswer first_not_finite(const Capture& capture, Index layer, const std::stop_token& stop) {
  for (const TensorRole role : tensor_roles) {
    if (role == TensorRole::mask || role == TensorRole::bias || axes_of(role) == TensorAxes::other) continue;
    const auto tensor = open_tensor(capture, layer, role);
    if (!tensor) return tensor.error();
    if (!*tensor) continue;
    const auto wrong = first_wrong(**tensor, role, stop);
    if (!wrong) return wrong.error();
    if (!*wrong) continue;
    const auto why = reason(capture, layer, role, **wrong);
    if (!why) return why.error();
    const auto& at = (*wrong)->at;
    const bool cells = axes_of(role) == TensorAxes::cells;
    Finding finding{
        .rule = {},
        .severity = Severity::error,
        .row = at[2],
        .key = cells ? std::optional(at[3]) : std::nullopt,
        .sentence = fmt::format("{} of {} in row {}, {} {}{}", std::isnan((*wrong)->value) ? "NaN" : "infinity",
                                name_of(role), at[2], cells ? "key" : "column", at[3], *why)};
    finding.batch = at[0];
    finding.head = at[1];
    return std::optional(finding);
  }
  return std::optional<Finding>();
}

}  // namespace vqscope
