// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_case.h"

#include "core/base/sentence.h"
#include "core/lint/lint_guess.h"
#include "core/lint/stated_positions.h"
#include "core/mask/batch/text_sizes.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/layout_regions.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_text_documents = 4096;

std::string stated_choice(const ParameterValues& stated, const char* name) {
  const std::string& value = stated.choice(name);
  return value == unset_choice ? std::string() : value;
}

/// The sequence with these documents; nothing if a document is in two pieces.
std::optional<SequenceInput> input_of_documents(SequenceInput input, const std::vector<Index>& ids) {
  std::vector<Index> seen;
  Index padding_right = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool starts = i == 0 || ids[i] != ids[i - 1];
    if (ids[i] < 0) {
      ++(input.document_lengths.empty() ? input.padding : padding_right);
    } else if (starts) {
      if (std::ranges::count(seen, ids[i]) > 0 || padding_right > 0) return {};
      seen.push_back(ids[i]);
      input.document_lengths.push_back(1);
    } else {
      ++input.document_lengths.back();
    }
    if (seen.size() > most_text_documents) return {};
  }
  if (input.padding > 0 && padding_right > 0) return {};
  input.padding_side = input.padding > 0 ? PaddingSide::left : PaddingSide::right;
  input.padding += padding_right;
  return input;
}

bool has_cut_keys(const LintCase& made) { return made.layout.kv_length() < made.past_len + made.layout.q_length(); }

/// Fewer keys than tokens, for queries of the same sequence: the other keys are gone.
void take_newest_keys(LintCase& made) {
  const bool one_sequence = made.past_len > 0 || !made.objective_assumed;
  if (!has_cut_keys(made) || made.objective == Objective::cross || !one_sequence || made.layout.has_slots()) return;
  made.layout = made.layout.with_newest_keys();
  made.keys_assumed = true;
}

/// The slots of a cache: for all keys, or for the cached ones, which the queries follow.
Result<void> take_slots(const ParameterValues& stated, LintCase& made) {
  std::vector<Index> slots = stated.integers("cache_positions");
  if (slots.empty()) {
    take_newest_keys(made);
    return {};
  }
  const SequenceLayout& layout = made.layout;
  const auto length = static_cast<Index>(slots.size());
  if (length != layout.kv_length() && length != layout.kv_length() - layout.q_length())
    return invalid("cache_positions has {} entries but must have kv_length = {}, or one for each cached key", length,
                   layout.kv_length());
  Index next = *std::ranges::max_element(slots) + 1;
  // A cache that is too short for past_len + q_length tokens may hold none of the queries.
  const bool behind = has_cut_keys(made) && made.past_len + layout.q_length() > next;
  while (static_cast<Index>(slots.size()) < layout.kv_length()) slots.push_back(next++);
  auto laid = layout.with_slots(slots, behind ? std::optional(made.past_len) : std::nullopt);
  if (!laid) return invalid("cache_positions: " + laid.error().message);
  made.layout = std::move(*laid);
  made.extra_keys = false;
  made.keys_assumed = false;
  std::ranges::sort(slots);
  const auto held = std::ranges::upper_bound(slots, -1);
  // Slots of one position are branches of a tree: which of them a query sees is not known.
  if (std::adjacent_find(held, slots.end()) != slots.end()) made.sparse = true;
  if (made.objective == Objective::cross && made.objective_assumed) made.objective = Objective::causal;
  return {};
}

/// For a mask text with the objective cross, the queries become a sequence of their own; padding
/// among the keys is none among them.
Result<void> take_cross(LintCase& made) {
  if (made.objective != Objective::cross || made.layout.query_source() == QuerySource::own) return {};
  SequenceInput input = made.layout.input();
  input.query_source = QuerySource::own;
  input.past_len = 0;
  input.document_lengths.clear();
  auto layout = SequenceLayout::make(input);
  if (!layout) return layout.error();
  made.layout = std::move(*layout);
  made.keys_assumed = false;
  return {};
}

Objective preset_objective(const MaskPreset& preset) {
  if (preset.is_cross()) return Objective::cross;
  if (preset.has("prefix")) return Objective::prefix;
  return preset.is_causal() ? Objective::causal : Objective::bidirectional;
}

/// The value if it is set; -1 is not set.
void take_count(const ParameterValues& stated, const char* name, std::optional<Index>& into) {
  if (const Index count = stated.integer(name); count >= 0) into = count;
}

void drop_guessed_chunks(LintCase& made) {
  made.chunk.reset();
  made.left_frames.reset();
  made.right_frames = 0;
}

void take_objective(const ParameterValues& stated, LintCase& made) {
  const bool spans = !stated.integers("span_ids").empty();
  const bool prefix = stated.integer("prefix_length") >= 0;
  const bool chunks =
      stated.integer("left_chunks") >= 0 || stated.integer("left_frames") >= 0 || stated.integer("right_frames") >= 0;
  std::string name = stated.choice("objective");
  if (name == "automatic" && made.objective_assumed && (spans || prefix || chunks))
    name = spans ? "causal_spans" : prefix ? "prefix" : "chunked";
  if (name == "automatic") return;
  made.objective = objective_named(name);
  // Nor are chunks.
  if (made.objective_assumed) drop_guessed_chunks(made);
  // A prefix guessed from the mask is not one to check it against.
  if (made.objective_assumed && !made.prefix_stated) made.prefix_length.reset();
  made.objective_assumed = false;
}

/// Takes what a query sees beside its chunk.
void take_chunks(const ParameterValues& stated, LintCase& made) {
  if (const Index chunk = stated.integer("chunk"); chunk > 0) made.chunk = chunk;
  if (made.objective != Objective::chunked) return;
  take_count(stated, "left_frames", made.left_frames);
  if (const Index right = stated.integer("right_frames"); right >= 0) made.right_frames = right;
  const Index chunks = stated.integer("left_chunks");
  if (chunks >= 0 && made.chunk) made.left_frames = std::min(any_distance, chunks * *made.chunk);
}

/// Takes the expectations that are set; the others stay.
Result<void> take_expectations(const ParameterValues& stated, LintCase& made) {
  take_objective(stated, made);
  const Index window = stated.integer("window");
  made.no_window = window == 0;
  if (window == 0) made.window.reset();
  if (window > 0) made.window = window;
  take_count(stated, "window_left", made.window_left);
  take_count(stated, "window_right", made.window_right);
  take_count(stated, "prefix_length", made.prefix_length);
  take_chunks(stated, made);
  made.sinks = stated.integer("sinks");
  made.sparse = made.sparse || stated.boolean("sparse");
  if (auto crossed = take_cross(made); !crossed) return crossed;
  if (auto laid = take_slots(stated, made); !laid) return laid;
  if (made.objective != Objective::causal_spans) return {};
  if (const auto& spans = stated.integers("span_ids"); !spans.empty()) {
    made.spans = spans;
    made.spans_set = true;
  }
  return check_length("span_ids", made.spans.size(), made.layout.kv_length(), "kv_length");
}

void take_facts(const ParameterValues& stated, LintCase& made) {
  made.backend = stated_choice(stated, "dialect");
  made.window_meaning = stated_choice(stated, "window_meaning");
  take_count(stated, "window_argument", made.window_argument);
  take_count(stated, "window_argument_right", made.window_argument_right);
  take_count(stated, "block_mask_batch", made.block_mask_batch);
  take_count(stated, "block_mask_heads", made.block_mask_heads);
  take_count(stated, "batch_size", made.batch_size);
  const Index queries = stated.integer("block_mask_q_length");
  const Index keys = stated.integer("block_mask_kv_length");
  if (queries >= 0 || keys >= 0)
    made.block_mask = {queries >= 0 ? queries : made.layout.q_length(), keys >= 0 ? keys : made.layout.kv_length()};
  made.true_means = stated_choice(stated, "true_means");
  made.values = stated_choice(stated, "values");
  made.dtype = stated.choice("dtype");
  made.is_causal = stated.boolean("is_causal");
  made.mask_given = stated.choice("attn_mask") == "given";
  made.summed = stated.boolean("summed");
  made.cu_seqlens = stated.integers("cu_seqlens");
  made.q_rope = {stated_choice(stated, "q_pair_layout"), stated_choice(stated, "q_rope_type"),
                 stated.choice("rope_gather") == "column"};
  made.k_rope = {stated_choice(stated, "k_pair_layout"), stated_choice(stated, "k_rope_type"), made.q_rope.by_column};
}

/// Labels and the input ids they are compared with.
Result<void> take_labels(const ParameterValues& stated, LintCase& made) {
  const Index q_length = made.layout.q_length();
  auto labels = stated_labels(stated, q_length);
  if (!labels) return labels.error();
  made.labels = std::move(*labels);
  made.input_ids = stated.integers("input_ids");
  const std::string kind = stated_choice(stated, "labels_are");
  made.labels_are = kind.empty()        ? LabelKind::unset
                    : kind == "aligned" ? LabelKind::aligned
                    : kind == "shifted" ? LabelKind::shifted
                                        : LabelKind::masked;
  return check_length("input_ids", made.input_ids.size(), q_length, "q_length");
}

Result<void> take_numbers(const ParameterValues& stated, LintCase& made) {
  if (const std::string& text = stated.text("masked_value"); !text.empty()) {
    auto numbers = numbers_of("masked_value", text);
    if (!numbers) return numbers.error();
    made.mask_numbers = std::move(*numbers);
  }
  made.alibi_bias = stated.reals("alibi_bias");
  if (made.alibi_bias.size() == 1) return {};
  return check_length("alibi_bias", made.alibi_bias.size(), made.layout.kv_length(), "kv_length");
}

/// Takes documents from an array of the mask's text if the sequence has none; -1 is padding.
void take_text_documents(const ParameterValues& values, LintCase& made) {
  const SequenceLayout& layout = made.layout;
  if (!has_mask_text(values) || layout.query_source() == QuerySource::own) return;
  if (document_count(layout) > 1 || padding_count(layout) > 0) return;
  for (const std::string_view name : language::document_array_names()) {
    const auto* given = values.find(free_name_key(name));
    const auto* ids = given ? std::get_if<std::vector<Index>>(given) : nullptr;
    if (!ids || static_cast<Index>(ids->size()) != layout.kv_length()) continue;
    if (auto input = input_of_documents(layout.input(), *ids))
      if (auto laid = SequenceLayout::make(*input)) made.layout = std::move(*laid);
    return;
  }
}

/// A text that ends in create_block_mask(..., B=None) gives the batch and heads of its block mask.
void take_block_mask_call(const ParameterValues& values, LintCase& made) {
  if (!has_mask_text(values)) return;
  const TextSizes sizes = text_sizes(mask_text_of(values));
  if (sizes.batch) made.block_mask_batch = sizes.batch->count;
  if (sizes.heads) made.block_mask_heads = sizes.heads->count;
}

bool reads(const ParameterValues& values, const char* name) {
  return find_spec(mask_text_parameters(values), name) != nullptr;
}

/// The one document of the layout then stands for them, in which every query and key have the same.
bool misses_documents(const ParameterValues& values) {
  if (!values.integers("document_lengths").empty() || !text_reads_documents(values)) return false;
  const auto* given = values.find(free_name_key("document_id"));
  const auto* ids = given ? std::get_if<std::vector<Index>>(given) : nullptr;
  return !ids || ids->empty();
}

}  // namespace

Result<std::vector<Index>> stated_labels(const ParameterValues& stated, Index q_length) {
  std::vector<Index> labels = stated.integers("labels");
  const auto& loss_mask = stated.integers("loss_mask");
  if (auto fits = check_length("labels", labels.size(), q_length, "q_length"); !fits) return fits.error();
  if (auto fits = check_length("loss_mask", loss_mask.size(), q_length, "q_length"); !fits) return fits.error();
  if (labels.empty()) labels.assign(loss_mask.size(), 0);
  for (std::size_t i = 0; i < loss_mask.size(); ++i)
    if (loss_mask[i] == 0) labels[i] = no_loss;
  return labels;
}

Result<LintCase> lint_case(LintCase base, const ParameterValues& stated) {
  if (auto taken = take_expectations(stated, base); !taken) return taken.error();
  take_facts(stated, base);
  for (const auto take : {take_positions, take_labels, take_numbers})
    if (auto taken = take(stated, base); !taken) return taken.error();
  return base;
}

Result<LintCase> lint_case(const ParameterValues& preset_values) {
  auto mask = make_preset_mask(preset_values);
  if (!mask) return mask.error();
  auto layout = SequenceLayout::make(preset_sequence(preset_values));
  if (!layout) return layout.error();
  return lint_case(std::move(*mask), std::move(*layout), preset_values);
}

LintCase lint_case(std::shared_ptr<const Mask> mask, SequenceLayout layout, const ParameterValues& preset_values) {
  const MaskPreset& preset = chosen_preset(preset_values);
  LintCase made{.mask = std::move(mask), .layout = std::move(layout)};
  made.objective = preset_objective(preset);
  made.past_len = made.layout.past_len();
  if (made.objective == Objective::prefix) made.prefix_length = preset_sequence(preset_values).prefix_length;
  if (preset.is_given()) {
    take_text_documents(preset_values, made);
    const auto prefix = text_prefix_length(preset_values);
    made.prefix_stated = prefix.has_value();
    made.extra_keys = made.layout.past_len() == 0 && made.layout.kv_length() > made.layout.q_length();
    made.reads_b = reads(preset_values, "b");
    made.reads_h = reads(preset_values, "h");
    made.documents_missing = misses_documents(preset_values);
    made.named_window = named_window(preset_values);
    take_block_mask_call(preset_values, made);
    made.objective_assumed = preset.objective.empty();
    made.sparse = !made.objective_assumed;
    if (made.objective_assumed)
      guess_objective(made, prefix);
    else
      made.objective = objective_named(preset.objective);
    made.file = imported_file(preset_values);
    if (has_imported_mask(preset_values))
      if (auto numbers = numbers_of("mask_values", preset_values.text("mask_values")))
        made.mask_numbers = std::move(*numbers);
  }
  if (const Index window = preset_window(preset_values); window > 0) made.window = window;
  take_newest_keys(made);
  return made;
}

}  // namespace vqscope
