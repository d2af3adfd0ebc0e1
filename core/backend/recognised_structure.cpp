// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/recognised_structure.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

constexpr std::size_t most_body_entries = std::size_t{1} << 16;  // of an array in a snippet
constexpr std::size_t most_query_blocks = std::size_t{1} << 12;
constexpr Index most_block_steps = Index{1} << 25;

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

/// Documents, padding and cache of a shape; without documents and padding where no sequence has
/// them so.
std::optional<SequenceLayout> layout_of_shape(const MaskShape& shape, bool lengths_alone) {
  SequenceInput input;
  input.q_length = shape.extent.rows;
  input.kv_length = shape.extent.cols;
  input.past_len = shape.past_len;
  if (shape.past_len + shape.extent.rows > shape.extent.cols) input.query_source = QuerySource::own;
  if (!lengths_alone) {
    input.padding = shape.pad_left + shape.pad_right;
    input.padding_side = shape.pad_left > 0 ? PaddingSide::left : PaddingSide::right;
    input.document_lengths = document_lengths(shape);
    input.prefix_length = shape.prefix;
  }
  auto layout = SequenceLayout::make(input);
  return layout ? std::optional(std::move(*layout)) : std::nullopt;
}

/// Whether kernels have a name for every part, and a sequence has its documents and padding.
bool is_plain(const MaskShape& shape) {
  if (shape.sinks > 0 || shape.dilation > 1 || shape.documents_widen || shape.hidden.size() > 0) return false;
  if (shape.pad_left > 0 && shape.pad_right > 0) return false;
  return shape.right ? *shape.right == 0 : !shape.left;
}

MaskStructure plain_structure(const MaskShape& shape) {
  MaskStructure structure;
  structure.causal = shape.right == 0 && shape.prefix == 0;
  if (shape.right == 0 && shape.prefix > 0) structure.prefix = shape.prefix;
  if (shape.left) structure.window = *shape.left + 1;
  structure.documents = !shape.document_starts.empty() && !shape.documents_widen;
  structure.padding = shape.pad_left + shape.pad_right > 0;
  return structure;
}

/// The parts of a shape that plain_structure() does not name.
std::vector<std::string> other_parts(const MaskShape& shape) {
  if (shape.documents_widen) return shape.terms();
  MaskShape rest = shape;
  rest.document_starts.clear();
  rest.pad_left = rest.pad_right = 0;
  rest.left.reset();
  if (shape.right == 0) rest.prefix = 0;
  if (shape.right == 0 || (shape.left && shape.right.value_or(0) > 0)) rest.right.reset();
  return rest.terms();
}

/// Empty where a query sees no key or several ranges, or where blocks are no shorter than their
/// rows.
std::vector<QueryBlock> query_blocks_of(const Mask& mask, bool causal, const std::stop_token& stop) {
  const Index rows = mask.extent().rows;
  CountBudget budget{.left = most_block_steps, .stop = stop};
  const std::size_t most = std::min(most_query_blocks, static_cast<std::size_t>(rows / 2));
  std::vector<QueryBlock> blocks;
  std::vector<Range> row;
  for (Index q = 0; q < rows; ++q) {
    if (!read_row(mask, q, budget, row) || row.size() != 1) return {};
    const Range seen = row.front();
    const bool extends_last =
        !blocks.empty() && blocks.back().keys == Range{seen.begin, causal ? seen.end - 1 : seen.end};
    if (!extends_last) blocks.push_back({0, seen});
    if (blocks.size() > most) return {};
    blocks.back().keys.end = seen.end;
    ++blocks.back().queries;
  }
  return blocks;
}

MaskStructure bodied_structure(const Recognition& found) {
  MaskStructure structure;
  if (!found.shape.documents_widen) structure = plain_structure(found.shape);
  // A window without an end ahead reaches as far as there are keys.
  const Index ahead = found.shape.right.value_or(found.shape.extent.cols);
  if (structure.window && ahead > 0) structure.ahead = ahead;
  structure.others = found.pattern.terms;
  for (auto& part : other_parts(found.shape)) structure.others.push_back(std::move(part));
  structure.body = found.text;
  structure.arrays = found.arrays;
  structure.exact = true;
  return structure;
}

}  // namespace

std::optional<StatedStructure> recognised_structure(const Recognition& found, const Mask& mask,
                                                    const std::stop_token& stop) {
  if (!found.is_exact()) return {};
  if (found.pattern.kind == MaskKind::conjunction && is_plain(found.shape)) {
    if (auto layout = layout_of_shape(found.shape, false)) {
      const MaskStructure exact = verified(plain_structure(found.shape), mask, *layout, stop);
      if (exact.exact) return StatedStructure{exact, std::move(*layout)};
    }
  }
  for (const auto& array : found.arrays)
    if (array.values.size() > most_body_entries) return {};
  const bool both_pads = found.shape.pad_left > 0 && found.shape.pad_right > 0;
  auto layout = layout_of_shape(found.shape, both_pads || found.shape.documents_widen);
  if (!layout) layout = layout_of_shape(found.shape, true);
  if (!layout) return {};
  MaskStructure structure = bodied_structure(found);
  structure.query_blocks = query_blocks_of(mask, false, stop);
  if (structure.query_blocks.empty()) {
    structure.query_blocks = query_blocks_of(mask, true, stop);
    structure.blocks_are_causal = !structure.query_blocks.empty();
  }
  return StatedStructure{std::move(structure), std::move(*layout)};
}

}  // namespace vqscope
