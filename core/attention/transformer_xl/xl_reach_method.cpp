// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/methods.h"

#include "core/attention/transformer_xl/xl_field.h"
#include "core/attention/transformer_xl/xl_parameters.h"
#include "core/base/sentence.h"

#include <optional>

namespace vqscope {
namespace {

constexpr Index automatic = -1;
ParameterSpec position_parameter(std::string name, std::string label, std::string help, std::string unset,
                                 Index length) {
  auto spec =
      xl_tokens_parameter(std::move(name), std::move(label), "Chosen pair", std::move(help), automatic, automatic);
  spec.automatic = std::move(unset);
  spec.maximum = static_cast<double>(length - 1);
  return spec;
}

/// Limited to the tokens of the sequence, so that a slider covers them. `values` may be invalid:
/// they are checked later.
std::vector<ParameterSpec> chosen_pair(const ParameterValues& values) {
  const Index length = values.find("q_length") ? std::max<Index>(values.integer("q_length"), 1) : Index{8192};
  return {position_parameter("query", "Query position", "Position of the query whose path is described.",
                             "the last token", length),
          position_parameter("key", "Key position", "Position of the key that the path leads to.",
                             "the earliest key that the query reads", length)};
}

ParameterSpec view_parameter() {
  return make_parameter(
      "view", "View", "Quantity to show for query q and key k.",
      {.label = "View",
       .default_value = std::string("reach"),
       .choices = {{"layer", "one layer: the keys of its own segment and of the memory"},
                   {"reach", "all layers: the least number of layers after which key k influences query q"},
                   {"gradient", "all layers: keys that are read and learnt from, or read only"}}});
}

std::vector<ParameterSpec> xl_parameters() {
  ParameterSpec clamp =
      xl_tokens_parameter("clamp_len", "", "Layers",
                          "Largest distance that the position encoding distinguishes; farther keys share it.", 0, 0);
  clamp.automatic = "every distance";
  std::vector<ParameterSpec> specs{view_parameter()};
  for (auto& size : xl_size_parameters()) specs.push_back(std::move(size));
  specs.back().playable = true;
  add_parameter(specs, "same_length", "Layers",
                "Whether every query sees exactly the memory_len newest tokens, including its own.",
                {.label = "Same length", .default_value = false});
  specs.push_back(std::move(clamp));
  for (auto& spec : chosen_pair(default_values(specs))) specs.push_back(std::move(spec));
  return specs;
}

XlPair xl_pair(const ParameterValues& values, const XlSegments& segments) {
  XlPair pair{values.integer("query"), values.integer("key")};
  if (pair.query == automatic) pair.query = segments.length - 1;
  if (pair.key == automatic) pair.key = segments.reach(pair.query, segments.layers).begin;
  return pair;
}

Result<void> check_xl(const ParameterValues& values) {
  const XlSegments segments = xl_segments(values);
  if (auto checked = segments.check(); !checked) return checked;
  for (const char* name : {"query", "key"})
    if (const Index position = values.integer(name); position >= segments.length)
      return invalid("{} is {} but must be 0 to {}, or -1", name, position, segments.length - 1);
  return {};
}

ParameterValues xl_in_force(const ParameterValues& values) {
  ParameterValues used;
  if (!check_xl(values)) return used;
  const XlPair pair = xl_pair(values, xl_segments(values));
  used.set("query", pair.query);
  used.set("key", pair.key);
  return used;
}

bool is_pair_chosen(const ParameterValues& values) {
  return values.integer("query") != automatic || values.integer("key") != automatic;
}

std::string xl_remark(const ParameterValues& values, const Work&) {
  if (!is_pair_chosen(values)) return {};
  const XlSegments segments = xl_segments(values);
  return describe_pair(segments, xl_pair(values, segments));
}

Categories xl_categories(const ParameterValues& values) {
  const std::string& view = values.choice("view");
  if (view == "gradient")
    return {.count = 3, .second = 3, .groups = {{0, "not read"}, {1, "learnt"}, {2, "read only"}}};
  if (view == "layer") {
    Categories categories{.count = 3, .second = 3, .groups = {{0, "not seen"}, {1, "own segment"}, {2, "memory"}}};
    if (values.integer("clamp_len") == 0) return categories;
    categories.count = categories.second = 4;
    categories.groups.push_back({3, "clamped"});
    return categories;
  }
  const Index layers = values.integer("layers");
  Categories categories{.count = layers + 1, .second = 1, .groups = {{0, "not read"}, {1, "1 layer"}}};
  // Not at the last colour, where there is no space for a label.
  for (const Index quarter : {layers / 4, layers / 2, layers * 3 / 4})
    if (quarter > categories.groups.back().first)
      categories.groups.push_back({quarter, fmt::format("{} layers", quarter)});
  return categories;
}

Result<std::shared_ptr<const Field>> make_xl_reach(const ParameterValues& values, const Work&) {
  const XlSegments segments = xl_segments(values);
  const std::string& view = values.choice("view");
  const XlView shown = view == "layer" ? XlView::layer : view == "reach" ? XlView::reach : XlView::gradient;
  const auto chosen = is_pair_chosen(values) ? std::optional(xl_pair(values, segments)) : std::nullopt;
  return std::shared_ptr<const Field>(std::make_shared<XlField>(segments, shown, chosen));
}

}  // namespace

Method xl_reach_method() {
  return {.id = "xl_reach",
          .title = "Transformer-XL: reach",
          .category = "memory",
          .help =
              "Keys that each query sees in one layer, reads through all layers, and learns from. Shows geometry, not "
              "the performance of a model.",
          .citation = {"Dai et al. 2019, Transformer-XL, section 3.2",
                       "kimiyoung/transformer-xl, pytorch/mem_transformer.py"},
          .parameters = xl_parameters(),
          .free_parameters = chosen_pair,
          .in_force = xl_in_force,
          .check = check_xl,
          .remark = xl_remark,
          .recipe = FieldRecipe{.row_title = "query position q",
                                .col_title = "key position k",
                                .value_title = "reach",
                                .scale = ValueScale::categorical,
                                .categories = xl_categories,
                                .make = make_xl_reach}};
}

}  // namespace vqscope
