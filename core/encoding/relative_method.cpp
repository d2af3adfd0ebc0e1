// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/relative_method.h"

#include "core/base/sentence.h"
#include "core/method/shared/common_parameters.h"
#include "core/sequence/query_layout.h"

#include <cstdlib>

namespace vqscope {
namespace {

Result<std::shared_ptr<const Field>> make_relative(const RelativeMethod& method, const ParameterValues& values) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  auto function = method.function(values);
  if (!function) return function.error();
  RelativeTexts texts{method.value_name, {}};
  if (method.why) texts.why = [why = method.why, values](Index relative) { return why(values, relative); };
  return std::shared_ptr<const Field>(std::make_shared<RelativeField>(
      Extent{layout->q_length(), layout->kv_length()}, layout->past_len(), std::move(*function), std::move(texts)));
}

}  // namespace

Method relative_method(const RelativeMethod& method) {
  auto parameters = sequence_parameters(SequenceUse::lengths, 512);
  for (const auto& spec : method.parameters) parameters.push_back(spec);
  const bool in_decoders = method.category == "biases" || method.category == "scores";
  if (in_decoders) parameters.push_back(future_keys_parameter());
  const auto in_force = [more = method.in_force](const ParameterValues& values) {
    ParameterValues used = lengths_in_force(values);
    if (!more) return used;
    const ParameterValues own = more(values);
    for (const auto& [name, value] : own.map()) used.set(name, value);
    return used;
  };
  return {.id = method.id,
          .title = method.title,
          .category = method.category,
          .help = method.help,
          .citation = method.citation,
          .traits = method.traits,
          .bias = method.bias,
          .parameters = std::move(parameters),
          .in_force = in_force,
          .check = method.check,
          .recipe = FieldRecipe{
              .row_title = "query position q",
              .col_title = "key position k",
              .value_title = method.value_name,
              .scale = method.scale,
              .difference = method.difference,
              .logarithmic = method.logarithmic,
              .related = method.related,
              .decoder_past = in_decoders ? decoder_past_from : nullptr,
              .untrained = method.untrained,
              .make = [method](const ParameterValues& values, const Work&) { return make_relative(method, values); }}};
}

std::vector<ParameterSpec> head_parameters(const std::string& group) {
  return {make_parameter("num_heads", group, "Number of attention heads.",
                         {.default_value = Index{8}, .minimum = 1, .maximum = 1024, .logarithmic = true}),
          make_parameter("head", group, "Index of the head shown, from 0 to num_heads - 1.",
                         {.default_value = Index{0}, .minimum = 0, .maximum = 1023})};
}

Result<void> check_head(const ParameterValues& values) {
  const Index head = values.integer("head");
  const Index heads = values.integer("num_heads");
  if (head < heads) return {};
  return invalid("head is {} but must be below num_heads = {}", head, heads);
}

std::string place_text(Index relative) {
  if (relative == 0) return "k is q";
  return fmt::format("k is {} {}", grouped(std::abs(relative)), relative < 0 ? "behind q" : "ahead of q");
}

}  // namespace vqscope
