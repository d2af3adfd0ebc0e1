// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_structure.h"

#include "core/base/text.h"
#include "core/mask/band_overlap.h"
#include "core/mask/layout_mask.h"

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

MaskDifference mask_difference(const Mask& a, const Mask& b, const std::stop_token& stop) {
  assert(a.extent() == b.extent());
  MaskDifference difference;
  std::vector<Band> scratch;
  std::vector<Band> other_scratch;
  const bool few = a.has_bands() && b.has_bands();
  const Range all{0, a.extent().rows};
  const Index step = few ? all.size() : 4096;
  for (Index begin = 0; begin < all.end && !stop.stop_requested(); begin += step) {
    const Range chunk{begin, std::min(all.end, begin + step)};
    const auto of_a = a.bands(chunk, scratch);
    const auto of_b = b.bands(chunk, other_scratch);
    const std::uint64_t both = common_cells(of_a, of_b, chunk);
    difference.only_a += cell_count(of_a, chunk) - both;
    difference.only_b += cell_count(of_b, chunk) - both;
  }
  return difference;
}

MaskStructure verified(MaskStructure structure, const Mask& mask, const SequenceLayout& layout,
                       const std::stop_token& stop) {
  structure.exact = false;
  if (mask.extent() != Extent{layout.q_length(), layout.kv_length()}) return structure;
  const bool same = mask_difference(mask, *structure_mask(structure, layout), stop).none();
  structure.exact = same && !stop.stop_requested();
  return structure;
}

}  // namespace vqscope
