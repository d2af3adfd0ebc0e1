// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/told_structure.h"

#include "core/mask/recognise/recognise.h"

namespace vqscope {
namespace {

/// Long masks are recognised on request, not as part of a check.
constexpr Index most_structure_steps = Index{1} << 27;

std::vector<Index> document_lengths(const MaskShape& shape) {
  std::vector<Index> lengths;
  Index begin = shape.pad_left;
  for (const Index start : shape.document_starts) {
    lengths.push_back(start - begin);
    begin = start;
  }
  if (!lengths.empty()) lengths.push_back(shape.extent.cols - shape.pad_right - begin);
  return lengths;
}

/// Nothing if the shape has a part that no kernel has a name for.
std::optional<MaskStructure> structure_of(const MaskShape& shape) {
  if (shape.sinks > 0 || shape.dilation > 1 || shape.documents_widen || (shape.pad_left > 0 && shape.pad_right > 0))
    return {};
  if (shape.right && *shape.right != 0) return {};
  if (!shape.right && shape.left) return {};
  MaskStructure structure;
  structure.causal = shape.right && shape.prefix == 0;
  if (shape.right && shape.prefix > 0) structure.prefix = shape.prefix;
  if (shape.left) structure.window = *shape.left + 1;
  structure.documents = !shape.document_starts.empty();
  structure.padding = shape.pad_left + shape.pad_right > 0;
  return structure;
}

std::optional<ToldStructure> told_by(const MaskShape& shape, const Mask& mask, const std::stop_token& stop) {
  const auto structure = structure_of(shape);
  if (!structure) return {};
  SequenceInput input{.q_length = shape.extent.rows, .kv_length = shape.extent.cols, .past_len = shape.past_len};
  input.padding = shape.pad_left + shape.pad_right;
  input.padding_side = shape.pad_left > 0 ? PaddingSide::left : PaddingSide::right;
  input.document_lengths = document_lengths(shape);
  input.prefix_length = shape.prefix;
  auto layout = SequenceLayout::make(input);
  if (!layout) return {};
  MaskStructure exact = verified(*structure, mask, *layout, stop);
  if (!exact.exact) return {};
  return ToldStructure{exact, std::move(*layout)};
}

}  // namespace

ToldStructure told_structure(const ContractCase& given, const std::stop_token& stop) {
  ToldStructure wanted{verified(wanted_structure(given), *given.mask, given.layout, stop), given.layout};
  if (wanted.structure.exact || stop.stop_requested()) return wanted;
  const auto found = recognise(*given.mask, {.most_steps = most_structure_steps, .stop = stop});
  if (!found || found->inverted || found->exception_count > 0) return wanted;
  auto told = told_by(found->shape, *given.mask, stop);
  return told ? std::move(*told) : std::move(wanted);
}

}  // namespace vqscope
