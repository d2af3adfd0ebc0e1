// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/contract_case.h"

#include "core/base/text.h"
#include "core/mask/layout_regions.h"
#include "core/mask/presets.h"
#include "core/mask/text_mask.h"

#include <array>

namespace vqscope {
namespace {

constexpr const char* unsaid = "unsaid";  // the choice of contract_parameters() that says nothing
constexpr std::array objective_names{"causal", "prefix", "bidirectional", "cross"};

std::string said(const ParameterValues& stated, const char* name) {
  const std::string& value = stated.choice(name);
  return value == unsaid ? std::string() : value;
}

Result<void> check_length(const char* name, std::size_t length, Index wanted, const char* wanted_name) {
  if (length == 0 || static_cast<Index>(length) == wanted) return {};
  return invalid(std::string(name) + " has " + to_text(static_cast<Index>(length)) + " entries, must have " +
                 wanted_name + " = " + to_text(wanted));
}

/// position_ids of all tokens, or of the queries alone.
Result<void> take_positions(const ParameterValues& stated, ContractCase& made) {
  made.q_position_ids = stated.integers("q_position_ids");
  made.kv_position_ids = stated.integers("kv_position_ids");
  const auto& ids = stated.integers("position_ids");
  const auto length = static_cast<Index>(ids.size());
  const SequenceLayout& layout = made.layout;
  const bool self = layout.query_source() == QuerySource::keys;
  if (length > 0 && length != layout.q_length() && (!self || length != layout.kv_length()))
    return invalid("position_ids has " + to_text(length) + " entries, must have q_length = " +
                   to_text(layout.q_length()) + (self ? " or kv_length = " + to_text(layout.kv_length()) : ""));
  if (length > 0 && self && length == layout.kv_length()) {
    if (made.kv_position_ids.empty()) made.kv_position_ids = ids;
    const auto first = ids.begin() + layout.past_len();
    if (made.q_position_ids.empty()) made.q_position_ids.assign(first, first + layout.q_length());
  } else if (length > 0 && made.q_position_ids.empty()) {
    made.q_position_ids = ids;
  }
  if (auto fits = check_length("q_position_ids", made.q_position_ids.size(), layout.q_length(), "q_length"); !fits)
    return fits;
  return check_length("kv_position_ids", made.kv_position_ids.size(), layout.kv_length(), "kv_length");
}

Objective preset_objective(const MaskPreset& preset) {
  if (preset.is_cross()) return Objective::cross;
  if (preset.has("prefix")) return Objective::prefix;
  // Most masks that are written as a text or read from a file are for decoders; what is another can be stated.
  return preset.is_causal() || preset.is_given() ? Objective::causal : Objective::bidirectional;
}

/// What is stated of the objective and the window; what is not stays.
void take_wishes(const ParameterValues& stated, ContractCase& made) {
  for (std::size_t i = 0; i < objective_names.size(); ++i)
    if (stated.choice("objective") == objective_names[i]) {
      made.objective = static_cast<Objective>(i);
      made.objective_assumed = false;
    }
  const Index window = stated.integer("window");
  if (window == 0) made.window.reset();
  if (window > 0) made.window = window;
}

void take_facts(const ParameterValues& stated, ContractCase& made) {
  made.dialect = said(stated, "dialect");
  made.window_meaning = said(stated, "window_meaning");
  if (const Index argument = stated.integer("window_argument"); argument >= 0) made.window_argument = argument;
  const Index queries = stated.integer("block_mask_q_length");
  const Index keys = stated.integer("block_mask_kv_length");
  if (queries >= 0 || keys >= 0)
    made.block_mask = {queries >= 0 ? queries : made.layout.q_length(), keys >= 0 ? keys : made.layout.kv_length()};
  made.true_means = said(stated, "true_means");
  made.values = said(stated, "values");
  made.dtype = stated.choice("dtype");
  made.is_causal = stated.boolean("is_causal");
  made.summed = stated.boolean("summed");
  made.q_rope = {said(stated, "q_pair_layout"), said(stated, "q_rope_type"), stated.choice("rope_gather") == "column"};
  made.k_rope = {said(stated, "k_pair_layout"), said(stated, "k_rope_type"), made.q_rope.by_column};
}

}  // namespace

std::string objective_name(Objective objective) { return objective_names[static_cast<std::size_t>(objective)]; }

std::string objective_text(const ContractCase& given) {
  return objective_name(given.objective) + (given.objective_assumed ? " (assumed)" : "");
}

MaskStructure wanted_structure(const ContractCase& given) {
  MaskStructure structure;
  structure.causal = given.objective == Objective::causal;
  if (given.objective == Objective::prefix) structure.prefix = given.prefix_length;
  if (structure.causal || structure.prefix) structure.window = given.window;
  structure.documents = document_count(given.layout) > 1;
  structure.padding = padding_count(given.layout) > 0;
  return structure;
}

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

Result<ContractCase> contract_case(ContractCase base, const ParameterValues& stated) {
  take_wishes(stated, base);
  take_facts(stated, base);
  if (auto taken = take_positions(stated, base); !taken) return taken.error();
  auto labels = stated_labels(stated, base.layout.q_length());
  if (!labels) return labels.error();
  base.labels = std::move(*labels);
  return base;
}

Result<ContractCase> contract_case(const ParameterValues& preset_values) {
  auto mask = make_preset_mask(preset_values);
  if (!mask) return mask.error();
  auto layout = SequenceLayout::make(preset_sequence(preset_values));
  if (!layout) return layout.error();
  return contract_case(std::move(*mask), std::move(*layout), preset_values);
}

ContractCase contract_case(std::shared_ptr<const Mask> mask, SequenceLayout layout,
                           const ParameterValues& preset_values) {
  const MaskPreset& preset = chosen_preset(preset_values);
  ContractCase made{.mask = std::move(mask), .layout = std::move(layout)};
  made.objective = preset_objective(preset);
  made.objective_assumed = preset.id == text_mask_id;
  made.prefix_length = preset_sequence(preset_values).prefix_length;
  if (const Index window = preset_window(preset_values); window > 0) made.window = window;
  return made;
}

}  // namespace vqscope
