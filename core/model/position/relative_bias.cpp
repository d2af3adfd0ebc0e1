// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/relative_bias.h"

#include "core/encoding/methods.h"
#include "core/field/field.h"
#include "core/relative/relative_function.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>

namespace vqscope {
namespace {

ParameterValues values_of(const TransformerConfig& config, const Method& method, Index head) {
  auto values = default_values(method.parameters);
  const auto set = [&](const char* name, Index value) {
    if (find_spec(method.parameters, name)) values.set(name, value);
  };
  set("num_heads", config.n_heads);
  set("head", head);
  set("sandwich_dim", config.sandwich_dim);
  return values;
}

}  // namespace

std::vector<Choice> relative_bias_choices() {
  std::vector<Choice> choices;
  for (const Method* method : bias_methods())
    if (!method->bias->zero && method->id != "t5_bias") choices.push_back({method->id, method->title});
  return choices;
}

const Method* bias_method(const TransformerConfig& config) {
  return config.score_bias() == PositionKind::relative_bias ? find_bias(config.relative_bias) : nullptr;
}

std::span<const LearntParameter> learnt_parameters(const TransformerConfig& config) {
  const Method* method = bias_method(config);
  return method ? std::span<const LearntParameter>(method->bias->learnt) : std::span<const LearntParameter>{};
}

std::string learnt_tensor_name(const Method& method, const LearntParameter& parameter) {
  std::string group = find_spec(method.parameters, parameter.name)->group;
  std::ranges::transform(group, group.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return parameter.name.starts_with(group) ? parameter.name : group + "_" + parameter.name;
}

void relative_bias(const TransformerConfig& config, Index head, std::span<const double> learnt, std::span<double> out) {
  const Method& method = *bias_method(config);
  ParameterValues values = values_of(config, method, head);
  for (std::size_t i = 0; i < learnt.size(); ++i) values.set(method.bias->learnt[i].name, learnt[i]);
  // Not make_field: a step of training may leave the range of a form.
  const auto field = method.field()->make(values, {});
  assert(field);
  const FieldForm form = (*field)->form();
  const RelativeFunction& function = *std::get<RelativeForm>(form).function;
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = function.at(-static_cast<Index>(n));
}

void relative_bias_slope(const TransformerConfig& config, Index head, std::span<const double> learnt,
                         std::size_t number, std::span<double> out) {
  std::vector<double> moved(learnt.begin(), learnt.end());
  std::vector<double> above(out.size());
  // The cube root of the rounding error: errors of difference and of rounding are equal there.
  const double step = 6e-6 * std::max(std::abs(learnt[number]), 1e-3);
  const double up = learnt[number] + step, down = learnt[number] - step;
  moved[number] = up;
  relative_bias(config, head, moved, above);
  moved[number] = down;
  relative_bias(config, head, moved, out);
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = (above[n] - out[n]) / (up - down);
}

}  // namespace vqscope
