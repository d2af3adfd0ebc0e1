// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/mask_structure.h"

#include "core/base/text.h"
#include "core/mask/layout_regions.h"
#include "core/mask/mask_difference.h"
#include "core/mask/preset/presets.h"

namespace vqscope {

std::string MaskStructure::text() const {
  std::vector<std::string> parts;
  if (causal) parts.emplace_back("causal");
  if (prefix) parts.push_back("prefix " + to_text(*prefix));
  if (window) parts.push_back(window_text());
  parts.insert(parts.end(), others.begin(), others.end());
  if (documents) parts.emplace_back("documents");
  if (padding) parts.emplace_back("padding");
  return parts.empty() ? "bidirectional" : join(parts, ", ");
}

std::string MaskStructure::window_text() const {
  if (!ahead) return "window " + to_text(*window);
  return "window " + to_text(*window - 1) + " back and " + to_text(*ahead) + " ahead";
}

std::shared_ptr<const Mask> structure_mask(const MaskStructure& structure, const SequenceLayout& layout) {
  PresetTerms terms{.prefix_length = structure.prefix.value_or(0), .window = structure.window.value_or(0)};
  if (structure.padding) terms.names.emplace_back("key_valid");
  if (structure.documents) terms.names.emplace_back("same_document");
  if (structure.causal) terms.names.emplace_back("causal");
  if (structure.prefix) terms.names.emplace_back("prefix");
  if (structure.window) terms.names.emplace_back("sliding_window");
  return make_terms_mask(terms, layout);
}

bool holds_of_positions(const MaskStructure& structure, const SequenceLayout& layout) {
  if (!structure.causal && !structure.prefix && !structure.window) return true;
  const bool own = layout.query_source() == QuerySource::own;
  const bool padded_left = !layout.kv_runs().empty() && !layout.kv_runs().front().valid;
  if (own && padded_left) return false;
  return document_count(layout) <= 1 || (structure.documents && !own);
}

MaskStructure verified(MaskStructure structure, const Mask& mask, const SequenceLayout& layout,
                       const std::stop_token& stop) {
  structure.exact = false;
  if (!holds_of_positions(structure, layout)) return structure;
  if (mask.extent() != Extent{layout.q_length(), layout.kv_length()}) return structure;
  const auto compared = compare_masks(mask, *structure_mask(structure, layout), {.stop = stop});
  structure.exact = compared && compared->complete && compared->equal();
  return structure;
}

}  // namespace vqscope
