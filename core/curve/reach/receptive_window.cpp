// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/base/sentence.h"
#include "core/curve/reach/reach_values.h"
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "core/method/shared/borrowed.h"
#include "core/method/shared/common_parameters.h"
#include "core/sequence/sequence_layout.h"
#include "core/sequence/xl_segments.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index longest_prior = Index{1} << 22;
constexpr double fraction = 0.99;

/// Tokens that can reach the last one, itself counted, through `layers` layers that each see the
/// `window` newest tokens.
Index stacked_window(Index window, Index layers) {
  return XlSegments{.memory_len = window, .layers = layers, .same_length = true}.dependency_length();
}

/// The same for the last token of a segment under Transformer-XL, whose memory is the segment
/// before.
Index stacked_segments(Index segment, Index layers) {
  return XlSegments{.segment_len = segment, .memory_len = segment, .layers = layers}.dependency_length();
}

/// The limit of how far a layer looks back.
struct Kind {
  std::string id;
  std::string help;
  Index (*reach)(const ParameterValues& values, Index layers);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"causal", "every key behind the query",
       [](const ParameterValues& values, Index) { return values.integer("q_length"); }},
      {"sliding_window", "the nearest sliding_window keys, including the token itself",
       [](const ParameterValues& values, Index layers) {
         return stacked_window(values.integer("sliding_window"), layers);
       }},
      {"transformer_xl", "the current segment and cached hidden states of the previous one (Dai et al. 2019)",
       [](const ParameterValues& values, Index layers) {
         return stacked_segments(values.integer("segment_length"), layers);
       }},
      {"chunked", "only the query's own chunk: no information crosses chunks at any depth",
       [](const ParameterValues& values, Index) { return values.integer("chunk_length"); }},
      {"vq", "Transformer-VQ: keys older than the window are in the compressed cache, by shortcode",
       [](const ParameterValues& values, Index) { return values.integer("q_length"); }}};
  return all;
}

ParameterSpec length_parameter(std::string name, std::string help, Index default_value, std::string kind) {
  return make_parameter(std::move(name), "Layers", std::move(help),
                        {.default_value = default_value,
                         .minimum = 1,
                         .maximum = 2147483648.0,
                         .logarithmic = true,
                         .unit = "tokens",
                         .relevant = {{"kinds", {std::move(kind)}}}});
}

ParameterSpec kinds_parameter() {
  ParameterSpec spec = make_parameter(
      "kinds", "Layers", "What limits how far each layer looks back.",
      {.default_value = std::vector<std::string>{"causal", "sliding_window", "transformer_xl", "chunked", "alibi"}});
  for (const auto& kind : kinds()) spec.choices.push_back({kind.id, kind.help});
  for (const auto* bias : bias_methods())
    spec.choices.push_back(
        {bias->id, bias->title + ": the nearest keys that hold 99 % of the weight when content is ignored"});
  return spec;
}

std::vector<ParameterSpec> receptive_window_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, 131072))
    if (spec.name == "q_length") specs.push_back(std::move(spec));
  add_parameter(specs, "layers", "Layers", "Largest number of layers on the curve.",
                {.default_value = Index{32}, .minimum = 1, .maximum = 128});
  specs.push_back(kinds_parameter());
  specs.push_back(length_parameter("sliding_window", "Maximum number of keys that a query sees, including its own.",
                                   4096, "sliding_window"));
  specs.push_back(length_parameter("segment_length", "Tokens of one segment.", 2048, "transformer_xl"));
  specs.push_back(length_parameter("chunk_length", "Tokens of one chunk.", 8192, "chunked"));
  for (const auto* bias : bias_methods()) borrow_parameters(specs, bias->parameters, "kinds", bias->id);
  return specs;
}

Result<void> check_receptive_window(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "kinds"); !checked) return checked;
  for (const auto* bias : bias_methods()) {
    if (!is_chosen(values, "kinds", bias->id)) continue;
    if (const Index length = values.integer("q_length"); length > longest_prior)
      return invalid("q_length is {} but must be at most {} while kinds has {}: its weights are summed", length,
                     longest_prior, bias->id);
    if (auto checked = check_borrowed(*bias, values); !checked) return checked;
  }
  return {};
}

CurveSet receptive_window_described() {
  return {.x_name = "layer",
          .x_title = "layers",
          .y_title = "tokens that reach the last one",
          .formula =
              "through ℓ layers, at most T: causal and vq T; sliding_window ℓ · (w − 1) + 1; transformer_xl "
              "(ℓ + 1) · n, for the last token of a segment; chunked its chunk; a bias ℓ · (w99 − 1) + 1, w99 the "
              "nearest keys with 99 % of its weight at T; geometry of who sees whom, not performance of a model",
          .log_y = true,
          .integer = true};
}

/// Adds one curve, and how many layers reach all of T.
template <class Reach>
void add_curve(CurveSet& set, const std::string& id, Index length, const Reach& reach) {
  auto& y = set.curves.emplace_back(Curve{id, {}}).y;
  for (const double layers : set.x)
    y.push_back(static_cast<double>(std::min(length, reach(static_cast<Index>(layers)))));
  const auto whole = std::ranges::find(y, static_cast<double>(length));
  set.facts.emplace_back("layers_to_reach_all_" + id,
                         whole == y.end() ? no_value : set.x[static_cast<std::size_t>(whole - y.begin())]);
}

Result<CurveSet> make_receptive_window(const ParameterValues& values, const Work& work) {
  const Index length = values.integer("q_length");
  CurveSet set = receptive_window_described();
  set.x = integer_axis(1, values.integer("layers"), 128, false);
  for (const auto& kind : kinds())
    if (is_chosen(values, "kinds", kind.id))
      add_curve(set, kind.id, length, [&](Index layers) { return kind.reach(values, layers); });
  for (const auto* bias : bias_methods()) {
    if (work.stop.stop_requested()) return cancelled();
    if (!is_chosen(values, "kinds", bias->id)) continue;
    const auto f = borrowed_function(*bias, values);
    if (!f) return f.error();
    const Index window = BiasPrior(*f, length, work.stop).window(fraction, length);
    add_curve(set, bias->id, length, [&](Index layers) { return stacked_window(window, layers); });
    set.facts.emplace_back("window_99_" + bias->id, static_cast<double>(window));
  }
  if (work.stop.stop_requested()) return cancelled();
  set.levels = {{static_cast<double>(length), "T " + grouped(length)}};
  return set;
}

}  // namespace

Method receptive_window_method() {
  return {.id = "receptive_window",
          .title = "Reach by layers",
          .help = "Number of tokens that can influence the last token through a stack of layers.",
          .citation = {"Dai et al. 2019, Transformer-XL, section 3.2; Beltagy et al. 2020, Longformer, section 3.1; "
                       "Lingle 2023, Transformer-VQ, section 3; the biases' own, as cited there",
                       "none compared: counted"},
          .parameters = receptive_window_parameters(),
          .check = check_receptive_window,
          .recipe = CurveRecipe{.make = make_receptive_window, .related = {"bias_prior"}}};
}

}  // namespace vqscope
