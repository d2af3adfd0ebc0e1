// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/mask_structure.h"

#include "core/base/text.h"
#include "core/mask/mask_difference.h"
#include "core/mask/preset/layout_mask.h"

namespace vqscope {

std::string MaskStructure::text() const {
  std::vector<std::string> parts;
  if (causal) parts.push_back("causal");
  if (prefix) parts.push_back("prefix " + to_text(*prefix));
  if (window) parts.push_back("window " + to_text(*window));
  if (documents) parts.push_back("documents");
  if (padding) parts.push_back("padding");
  return parts.empty() ? "bidirectional" : join(parts, ", ");
}

std::shared_ptr<const Mask> structure_mask(const MaskStructure& structure, const SequenceLayout& layout) {
  std::vector<TermPtr> terms;
  if (structure.padding) terms.push_back(key_valid_term());
  if (structure.documents) terms.push_back(same_document_term());
  if (structure.causal) terms.push_back(causal_term());
  if (structure.prefix) terms.push_back(prefix_term(*structure.prefix));
  if (structure.window) terms.push_back(sliding_window_term(*structure.window));
  return std::make_shared<LayoutMask>(layout, std::move(terms));
}

MaskStructure verified(MaskStructure structure, const Mask& mask, const SequenceLayout& layout,
                       const std::stop_token& stop) {
  structure.exact = false;
  if (mask.extent() != Extent{layout.q_length(), layout.kv_length()}) return structure;
  const auto compared = compare_masks(mask, *structure_mask(structure, layout), {.stop = stop});
  structure.exact = compared && compared->complete && compared->equal();
  return structure;
}

}  // namespace vqscope
