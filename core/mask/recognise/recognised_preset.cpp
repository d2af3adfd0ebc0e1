// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognised_preset.h"

#include "core/base/sentence.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/preset/presets.h"

#include <utility>

namespace vqscope {
namespace {

using Parameters = std::vector<std::pair<std::string, Index>>;

const MaskPreset* preset_with(std::string_view id) {
  const auto found = std::ranges::find(mask_presets(), id, &MaskPreset::id);
  return found == mask_presets().end() ? nullptr : &*found;
}

/// The keys that some query sees are real; those before and behind them are padding, documents
/// without queries, or keys that no query comes to.
std::vector<SequenceInput> sequences_of(const MaskShape& frame, const MaskRows& rows) {
  Range real{frame.extent.cols, 0};
  for (Index q = 0; q < frame.extent.rows; ++q)
    if (const auto row = rows.row(q); !row.empty())
      real = {std::min(real.begin, row.front().begin), std::max(real.end, row.back().end)};
  const bool has_documents = !frame.document_starts.empty() || frame.blind_first + frame.blind_last > 0;
  const auto sequence = [&](Index padding, PaddingSide side, Range documents, bool apart) {
    SequenceInput input{.q_length = frame.extent.rows,
                        .kv_length = frame.extent.cols,
                        .past_len = frame.past_len,
                        .padding_side = side,
                        .padding = padding,
                        .document_lengths = {}};
    const Range tokens =
        side == PaddingSide::left ? Range{padding, frame.extent.cols} : Range{0, frame.extent.cols - padding};
    std::vector<Index> borders;
    if (documents.begin > tokens.begin) borders.push_back(documents.begin);
    for (const Index start : frame.document_starts)
      if (documents.begin < start && start < documents.end) borders.push_back(start);
    if (documents.end < tokens.end) borders.push_back(documents.end);
    if (borders.empty() && !apart) return input;  // without documents, padding queries see the same keys as others
    Index begin = tokens.begin;
    for (const Index border : borders) input.document_lengths.push_back(border - std::exchange(begin, border));
    input.document_lengths.push_back(tokens.end - begin);
    return input;
  };
  const Index before = real.begin;
  const Index behind = frame.extent.cols - real.end;
  const Range from_first{before, frame.extent.cols};
  std::vector<SequenceInput> all{sequence(before, PaddingSide::left, from_first, has_documents),
                                 sequence(behind, PaddingSide::right, {0, real.end}, has_documents),
                                 sequence(behind, PaddingSide::right, real, has_documents),
                                 sequence(before, PaddingSide::left, real, has_documents),
                                 sequence(0, PaddingSide::right, {0, frame.extent.cols}, has_documents)};
  if (has_documents) return all;
  // Queries that the pattern shows no key anyway may be apart.
  all.push_back(sequence(before, PaddingSide::left, from_first, true));
  all.push_back(sequence(behind, PaddingSide::right, {0, real.end}, true));
  return all;
}

/// Presets for a conjunction, whatever its documents are.
std::vector<std::pair<std::string, Parameters>> names_of(const MaskShape& shape) {
  const Index window = shape.left.value_or(0) + 1;
  if (shape.dilation > 1) {
    if (shape.right != 0 || shape.prefix + shape.sinks > 0) return {};
    return {{"dilated", {{"window", shape.left ? window : shape.extent.cols}, {"dilation", shape.dilation}}}};
  }
  if (!shape.right && !shape.left) return {{"bidirectional", {}}, {"cross", {}}};
  if ((!shape.right || *shape.right > 0) && shape.prefix + shape.sinks == 0)
    return {{"two_sided_window",
             {{"left", shape.left.value_or(shape.extent.cols)}, {"right", shape.right.value_or(shape.extent.cols)}}}};
  if (shape.right && *shape.right > 0 && shape.left == shape.right && shape.prefix == 0)
    return {{"longformer", {{"attention_window", 2 * *shape.left}, {"global_tokens", shape.sinks}}}};
  if (shape.right != 0) return {};
  if (shape.hidden.size() > 0) return {{"encoder_decoder", {{"source_padding", shape.hidden.size()}}}};
  if (shape.prefix > 0 && !shape.left)
    return {{"prefix_lm", {{"prefix_length", shape.prefix}}}, {"sinks", {{"num_sinks", shape.prefix}}}};
  if (shape.prefix > 0) return {};
  if (shape.sinks > 0) return {{"sinks_window", {{"num_sinks", shape.sinks}, {"window", window}}}};
  if (shape.left) return {{"sliding_window", {{"sliding_window", window}}}};
  if (!shape.document_starts.empty()) {
    std::vector<std::pair<std::string, Parameters>> names{{"packed", {}}};
    names.emplace_back("chunked", Parameters{{"chunk_size", shape.document_starts.front() - shape.pad_left}});
    return names;
  }
  if (shape.pad_left + shape.pad_right > 0) return {{"padding", {}}};
  if (shape.past_len > 0) return {{"decode", {}}};
  return {{"causal", {}}};
}

/// The mask of a preset; null where it has none with these values.
std::shared_ptr<const Mask> mask_of(const RecognisedPreset& preset, const std::stop_token& stop) {
  const auto* known = preset_with(preset.id);
  const auto layout = SequenceLayout::make(preset.sequence);
  if (!known || !layout) return nullptr;
  PresetTerms terms;
  MaskBindings bindings;
  for (const auto& [name, value] : preset.parameters) {
    bindings.integers[name] = value;
    if (name == prefix_name) terms.prefix_length = value;
    if (name == "sliding_window") terms.window = value;
  }
  if (preset.sequence.padding > 0) terms.names.emplace_back("key_valid");
  if (!preset.sequence.document_lengths.empty()) terms.names.emplace_back("same_document");
  if (terms.window > 0) {
    terms.names.emplace_back("sliding_window");
    bindings.integers.insert_or_assign(std::string(window_name), terms.window);
  }
  const auto parsed = MaskProgram::parse(preset_text(*known, terms));
  if (!parsed.program) return nullptr;
  auto made = make_language_mask(parsed.program, std::move(bindings), *layout, stop);
  return made ? *made : nullptr;
}

bool has_rows(const Mask& mask, const MaskRows& rows, CountBudget& budget) {
  if (mask.extent() != rows.extent()) return false;
  std::vector<Range> row;
  for (Index q = 0; q < rows.extent().rows; ++q)
    if (!budget.spend(16) || !read_row(mask, q, budget, row) || !std::ranges::equal(row, rows.row(q))) return false;
  return true;
}

/// Chunks are no documents, and encoders and decoders have sequences of their own.
void fit_sequence(RecognisedPreset& preset) {
  SequenceInput& input = preset.sequence;
  if (preset.id == "chunked") input.document_lengths.clear();
  if (preset.id != "cross") return;
  input.query_source = QuerySource::own;
  input.past_len = 0;
  input.document_lengths.clear();
}

}  // namespace

std::string RecognisedPreset::text() const {
  std::string all = id;
  for (const auto& [name, value] : parameters) all += fmt::format(", {} {}", name, value);
  if (!sequence.document_lengths.empty()) all += ", documents " + lengths_text(sequence.document_lengths);
  if (sequence.padding > 0)
    all += fmt::format(", padding {} on the {}", sequence.padding,
                       sequence.padding_side == PaddingSide::left ? "left" : "right");
  return all;
}

std::vector<RecognisedPreset> presets_of(const MaskPattern& pattern, const MaskShape& shape, const MaskRows& rows,
                                         CountBudget& budget) {
  std::vector<RecognisedPreset> presets;
  if (shape.documents_widen) return presets;
  auto names = names_of(shape);
  if (pattern.kind != MaskKind::conjunction) names = {{pattern.preset, pattern.parameters}};
  const auto sequences = sequences_of(shape, rows);
  for (const auto& [id, parameters] : names)
    for (const SequenceInput& sequence : sequences) {
      RecognisedPreset preset{id, parameters, sequence};
      fit_sequence(preset);
      const auto mask = mask_of(preset, budget.stop);
      if (!mask || !has_rows(*mask, rows, budget)) continue;
      presets.push_back(std::move(preset));
      break;
    }
  return presets;
}

}  // namespace vqscope
