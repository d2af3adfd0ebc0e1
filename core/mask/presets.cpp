// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/presets.h"

#include "core/field/lattice.h"
#include "core/field/visibility_field.h"
#include "core/mask/layout_mask.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index preset_window = 128;
constexpr Index packed_documents = 4;
constexpr Index automatic = -1;

const MaskPreset& preset_of(const ParameterValues& values) {
  const auto all = mask_presets();
  return *std::ranges::find(all, values.choice("mask"), &MaskPreset::id);
}

bool has_term(const MaskPreset& preset, std::string_view term) { return std::ranges::count(preset.terms, term) > 0; }

bool is_causal(const MaskPreset& preset) { return has_term(preset, "causal") || has_term(preset, "prefix"); }

/// Encoder-decoder: the queries are a sequence of their own.
bool is_cross(const MaskPreset& preset) { return preset.id == "cross"; }

/// Ids of the presets for which `uses` holds, for the forms.
template <class Uses>
Relevance presets_where(const Uses& uses) {
  Relevance relevance{"mask", {}};
  for (const auto& preset : mask_presets())
    if (uses(preset)) relevance.values.push_back(preset.id);
  return relevance;
}

Index window_of(const MaskPreset& preset, const ParameterValues& values) {
  if (!is_causal(preset)) return 0;
  const Index window = values.integer("sliding_window");
  return window == 0 && has_term(preset, "sliding_window") ? preset_window : window;
}

std::vector<Index> even_documents(Index tokens) {
  const auto edges = even_edges({0, tokens}, packed_documents);
  std::vector<Index> lengths;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) lengths.push_back(edges[i + 1] - edges[i]);
  return lengths;
}

/// In the order in which a person would ask: is there a key, is it mine, is it behind me, is it near.
std::vector<TermPtr> terms_of(const MaskPreset& preset, const SequenceInput& input, Index window) {
  std::vector<TermPtr> terms;
  if (has_term(preset, "key_valid") || input.padding > 0) terms.push_back(key_valid_term());
  if (has_term(preset, "same_document") || !input.document_lengths.empty()) terms.push_back(same_document_term());
  if (has_term(preset, "causal")) terms.push_back(causal_term());
  if (has_term(preset, "prefix")) terms.push_back(prefix_term(input.prefix_length));
  if (window > 0) terms.push_back(sliding_window_term(window));
  return terms;
}

ParameterSpec mask_parameter() {
  ParameterSpec spec{.name = "mask",
                     .label = "Mask",
                     .group = "Mask",
                     .help = "Which keys a query sees.",
                     .kind = ParameterKind::choice,
                     .fallback = std::string("causal")};
  for (const auto& preset : mask_presets()) spec.choices.push_back({preset.id, preset.help});
  return spec;
}

std::vector<ParameterSpec> term_parameters() {
  return {{.name = "prefix_length",
           .label = "Prefix",
           .group = "Mask",
           .help = "Leading positions that every query of the document sees.",
           .fallback = automatic,
           .minimum = -1,
           .maximum = 2147483648.0,
           .unit = "tokens",
           .automatic = "a quarter of q_length",
           .relevant = {presets_where([](const MaskPreset& preset) { return has_term(preset, "prefix"); })}},
          {.name = "sliding_window",
           .label = "Window",
           .group = "Mask",
           .help = "Keys that a query sees at most, itself counted: q_pos - kv_pos < sliding_window.",
           .fallback = Index{0},
           .minimum = 0,
           .maximum = 2147483648.0,
           .logarithmic = true,
           .unit = "tokens",
           .automatic = "128 in the preset sliding_window, no window elsewhere",
           .relevant = {presets_where(is_causal)}}};
}

/// The layout's knobs, with the presets' own automatic values.
std::vector<ParameterSpec> layout_parameters() {
  const auto self_attention = presets_where([](const MaskPreset& preset) { return !is_cross(preset); });
  auto specs = sequence_parameters(SequenceUse::positions, 512);
  for (auto& spec : specs) {
    if (spec.name == "kv_length") spec.automatic = "q_length + past_len; three quarters of q_length in cross";
    if (spec.name == "padding") {
      spec.fallback = automatic;
      spec.minimum = -1;
      spec.logarithmic = false;
      spec.automatic = "an eighth of kv_length in padding and cross, none elsewhere";
    }
    if (spec.name == "document_lengths") spec.automatic = "four equal documents in packed, one elsewhere";
    if (spec.name == "document_lengths" || spec.name == "past_len") spec.relevant = {self_attention};
  }
  return specs;
}

Result<std::shared_ptr<const Field>> make_visibility(const ParameterValues& values) {
  auto mask = make_preset_mask(values);
  if (!mask) return mask.error();
  return std::shared_ptr<const Field>(std::make_shared<VisibilityField>(std::move(*mask)));
}

Result<void> check_sequence(const ParameterValues& values) {
  const auto layout = SequenceLayout::make(preset_sequence(values));
  return layout ? Result<void>() : Result<void>(layout.error());
}

}  // namespace

std::span<const MaskPreset> mask_presets() {
  static const std::vector<MaskPreset> all{
      {"causal", "decoder: a query sees itself and every earlier key", {"causal"}},
      {"bidirectional", "encoder: every query sees every key", {}},
      {"padding", "a padded batch row: causal, and padding keys are never seen", {"key_valid", "causal"}},
      {"prefix_lm", "prefix language model: the prefix sees itself both ways, the rest is causal", {"prefix"}},
      {"packed", "several documents in one row: causal, and never across documents", {"same_document", "causal"}},
      {"sliding_window", "causal, and no further back than the window", {"causal", "sliding_window"}},
      {"decode", "causal by positions behind past_len cached keys; past_len 0 is the prefill", {"causal"}},
      {"cross", "encoder-decoder: every query sees every key of another sequence but its padding", {"key_valid"}},
  };
  return all;
}

SequenceInput preset_sequence(const ParameterValues& values) {
  const MaskPreset& preset = preset_of(values);
  const bool cross = is_cross(preset);
  SequenceInput input = sequence_input(values);
  if (cross) {
    input.query_source = QuerySource::own;
    input.past_len = 0;
    input.document_lengths.clear();
  }
  if (input.kv_length == 0)
    input.kv_length = cross ? std::max<Index>(3 * input.q_length / 4, 1) : input.q_length + input.past_len;
  if (input.padding == automatic) input.padding = has_term(preset, "key_valid") ? input.kv_length / 8 : 0;
  if (input.prefix_length == automatic) input.prefix_length = input.q_length / 4;
  const Index real = input.kv_length - input.padding;
  if (has_term(preset, "same_document") && input.document_lengths.empty() && real > 0)
    input.document_lengths = even_documents(real);
  return input;
}

Result<std::shared_ptr<const Mask>> make_preset_mask(const ParameterValues& values) {
  const SequenceInput input = preset_sequence(values);
  auto layout = SequenceLayout::make(input);
  if (!layout) return layout.error();
  const MaskPreset& preset = preset_of(values);
  return std::shared_ptr<const Mask>(
      std::make_shared<LayoutMask>(std::move(*layout), terms_of(preset, input, window_of(preset, values))));
}

Method visibility_method() {
  auto parameters = layout_parameters();
  parameters.insert(parameters.begin(), mask_parameter());
  for (auto& spec : term_parameters()) parameters.push_back(std::move(spec));
  return {.id = "visibility",
          .title = "Mask",
          .category = "masks",
          .help = "Whether query q sees key k: 1 visible, 0 masked.",
          .citation = {"Vaswani et al. 2017, Attention Is All You Need, section 3.2.3",
                       "Hugging Face transformers, masking_utils"},
          .parameters = std::move(parameters),
          .check = check_sequence,
          .recipe = FieldRecipe{.row_title = "query position q",
                                .col_title = "key position k",
                                .value_title = "visible",
                                .scale = ValueScale::visibility,
                                .make = make_visibility}};
}

}  // namespace vqscope
