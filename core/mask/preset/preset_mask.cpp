// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/tile_grid.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>

namespace vqscope {

namespace {

constexpr Index window_of_preset = 128;
constexpr Index packed_documents = 4;

std::vector<Index> even_documents(Index tokens) {
  const auto edges = even_edges({0, tokens}, packed_documents);
  std::vector<Index> lengths;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) lengths.push_back(edges[i + 1] - edges[i]);
  return lengths;
}

const MaskPreset& preset_named(std::string_view id) { return *std::ranges::find(mask_presets(), id, &MaskPreset::id); }

/// The few texts of terms, each parsed once and kept: they do not displace texts of the user.
std::shared_ptr<const MaskProgram> program_of_terms(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const MaskProgram>> programs;
  const std::lock_guard lock(mutex);
  auto& program = programs[text];
  if (!program) program = MaskProgram::parse(text).program;
  assert(program);
  return program;
}

}  // namespace

Index preset_window(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  if (!preset.is_causal()) return 0;
  const Index window = values.integer("sliding_window");
  return window == 0 && preset.has("sliding_window") ? window_of_preset : window;
}

bool pads_by_itself(const ParameterValues& values) {
  const auto* padding = values.find("padding");
  if (!values.find("mask") || !padding || *padding != ParameterValue(automatic_length)) return false;
  return chosen_preset(values).has("key_valid");
}

SequenceInput preset_sequence(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  const bool cross = preset.is_cross();
  SequenceInput input = sequence_input(values);
  if (cross) {
    input.query_source = QuerySource::own;
    input.past_len = 0;
    input.document_lengths.clear();
  }
  if (input.kv_length == 0)
    input.kv_length = cross ? std::max<Index>(3 * input.q_length / 4, 1) : input.q_length + input.past_len;
  if (input.padding == automatic_length) input.padding = preset.has("key_valid") ? input.kv_length / 8 : 0;
  if (const auto own = text_prefix_length(values)) input.prefix_length = *own;
  if (input.prefix_length == automatic_length) input.prefix_length = input.q_length / 4;
  // Fewer keys than queries are another sequence.
  if (preset.is_given() && input.kv_length < input.q_length + input.past_len) input.query_source = QuerySource::own;
  const Index real = input.kv_length - input.padding;
  if (preset.has("same_document") && input.document_lengths.empty() && real > 0)
    input.document_lengths = even_documents(real);
  return input;
}

/// In the usual order of questions: is there a key, is it in the document, is it behind, is it
/// near.
PresetTerms preset_terms(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  const SequenceInput input = preset_sequence(values);
  PresetTerms terms{.prefix_length = input.prefix_length, .window = preset_window(values)};
  if (preset.has("key_valid") || input.padding > 0) terms.names.emplace_back("key_valid");
  if (preset.has("same_document") || !input.document_lengths.empty()) terms.names.emplace_back("same_document");
  if (preset.has("causal")) terms.names.emplace_back("causal");
  if (preset.has("prefix")) terms.names.emplace_back("prefix");
  if (terms.window > 0) terms.names.emplace_back("sliding_window");
  return terms;
}

Result<std::shared_ptr<const Mask>> make_preset_mask(const ParameterValues& values, const std::stop_token& stop) {
  auto layout = SequenceLayout::make(preset_sequence(values));
  if (!layout) return layout.error();
  if (has_mask_text(values)) return make_text_mask(values, *layout, stop);
  return make_imported_mask(values, {layout->q_length(), layout->kv_length()}, stop);
}

std::shared_ptr<const Mask> make_terms_mask(const PresetTerms& terms, const SequenceLayout& layout) {
  const auto has = [&](std::string_view term) { return std::ranges::count(terms.names, term) > 0; };
  // A causal mask has no need of a prefix.
  const char* id = has("causal") ? "causal" : has("prefix") ? "prefix_lm" : "bidirectional";
  const auto program = program_of_terms(preset_text(preset_named(id), {terms.names}));
  MaskBindings bindings;
  bindings.integers = {{std::string(prefix_name), terms.prefix_length}, {std::string(window_name), terms.window}};
  return *make_language_mask(program, std::move(bindings), layout);
}

}  // namespace vqscope
