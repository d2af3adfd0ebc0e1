// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/methods.h"

#include "core/mask/map/visibility_field.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"

#include <functional>

namespace vqscope {
namespace {

/// Ids of the presets for which `uses` holds, for the forms.
template <class Uses>
Relevance presets_where(const Uses& uses) {
  Relevance relevance{"mask", {}};
  for (const auto& all : {mask_presets(), given_masks()})
    for (const auto& preset : all)
      if (std::invoke(uses, preset)) relevance.values.push_back(preset.id);
  return relevance;
}

ParameterSpec mask_parameter() {
  ParameterSpec spec =
      make_parameter("mask", "Mask", "Which keys a query sees.",
                     {.label = "Mask", .default_value = std::string("causal"), .in_summary = InSummary::always});
  for (const auto& all : {mask_presets(), given_masks()})
    for (const auto& preset : all)
      spec.choices.push_back({preset.id, preset.help, preset.id == imported_mask_id ? "imported" : ""});
  return spec;
}

std::vector<ParameterSpec> term_parameters() {
  return {
      make_parameter("prefix_length", "Mask", "Number of leading positions that every query of the document sees.",
                     {.label = "Prefix",
                      .default_value = automatic_length,
                      .minimum = static_cast<double>(automatic_length),
                      .maximum = 2147483648.0,
                      .unit = "tokens",
                      .automatic = "a quarter of q_length",
                      .relevant = {presets_where([](const MaskPreset& preset) { return preset.has("prefix"); })}}),
      make_parameter("sliding_window", "Mask",
                     "Maximum number of keys that a query sees, including its own: q_pos - kv_pos < sliding_window.",
                     {.label = "Window",
                      .default_value = Index{0},
                      .minimum = 0,
                      .maximum = 2147483648.0,
                      .logarithmic = true,
                      .unit = "tokens",
                      .automatic = "128 in the preset sliding_window, no window elsewhere",
                      .relevant = {presets_where(&MaskPreset::is_causal)}})};
}

/// The layout's knobs, with the presets' own automatic values.
std::vector<ParameterSpec> layout_parameters() {
  const auto self_attention = presets_where([](const MaskPreset& preset) { return !preset.is_cross(); });
  auto specs = sequence_parameters(SequenceUse::positions, 512);
  for (auto& spec : specs) {
    if (spec.name == "kv_length") spec.automatic = "q_length + past_len; three quarters of q_length in cross";
    if (spec.name == "padding") {
      spec.default_value = automatic_length;
      spec.minimum = static_cast<double>(automatic_length);
      spec.logarithmic = false;
      spec.help =
          "Number of padding keys; no query sees them. A padding query has no position: causal, prefix and "
          "sliding-window masks use its token index instead, and any other mask lets it see every real key.";
      spec.automatic = "an eighth of kv_length in padding and cross, none elsewhere";
    }
    if (spec.name == "document_lengths") spec.automatic = "four equal documents in packed, one elsewhere";
    if (spec.name == "document_lengths" || spec.name == "past_len") spec.relevant = {self_attention};
  }
  return specs;
}

Result<std::shared_ptr<const Field>> make_visibility(const ParameterValues& values, const Work& work) {
  auto mask = make_preset_mask(values, work.stop);
  if (!mask) return mask.error();
  return std::shared_ptr<const Field>(std::make_shared<VisibilityField>(std::move(*mask)));
}

Result<void> check_sequence(const ParameterValues& values) {
  const auto layout = SequenceLayout::make(preset_sequence(values));
  if (!layout) return layout.error();
  // Asked at every edit: what has to be walked through or solved, making refuses.
  return has_mask_text(values) ? check_mask_text(values) : Result<void>();
}

ParameterValues mask_in_force(const ParameterValues& values) {
  const SequenceInput input = preset_sequence(values);
  ParameterValues used;
  used.set("kv_length", input.kv_length);
  used.set("padding", input.padding);
  used.set("prefix_length", input.prefix_length);
  if (!input.document_lengths.empty()) used.set("document_lengths", input.document_lengths);
  if (const Index window = preset_window(values); window > 0) used.set("sliding_window", window);
  return used;
}

}  // namespace

Method visibility_method() {
  auto parameters = layout_parameters();
  parameters.insert(parameters.begin(), {mask_parameter(), mask_text_parameter()});
  for (auto& spec : imported_mask_parameters()) parameters.push_back(std::move(spec));
  for (auto& spec : term_parameters()) parameters.push_back(std::move(spec));
  return {.id = "visibility",
          .title = "Mask",
          .category = "masks",
          .help =
              "Whether query q sees key k: 1 visible, 0 masked. Padding queries have no position and are ordered by "
              "token index.",
          .citation = {"Vaswani et al. 2017, Attention Is All You Need, section 3.2.3",
                       "Hugging Face transformers, masking_utils"},
          .parameters = std::move(parameters),
          .free_parameters = mask_text_parameters,
          .in_force = mask_in_force,
          .check = check_sequence,
          .recipe = FieldRecipe{.row_title = "query position q",
                                .col_title = "key position k",
                                .value_title = "visible",
                                .scale = ValueScale::visibility,
                                .make = make_visibility,
                                .make_checks = true}};
}

}  // namespace vqscope
