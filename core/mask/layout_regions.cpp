// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/layout_regions.h"

namespace vqscope {
namespace {

/// Calls visit(q_run, kv_run, same) for each run of real queries and its document's keys: the key
/// at the query's own position would stand in column q + same.
template <class Visit>
void for_each_document(const SequenceLayout& layout, const Visit& visit) {
  for (const TokenRun& q : layout.q_runs()) {
    if (!q.valid) continue;
    for (const TokenRun& kv : keys_of_document(layout, q))
      if (kv.valid) visit(q, kv, kv.tokens.begin - kv.first + q.first - q.tokens.begin);
  }
}

}  // namespace

std::span<const TokenRun> keys_of_document(const SequenceLayout& layout, const TokenRun& q) {
  const auto runs = layout.kv_runs();
  if (layout.has_slots()) return runs;
  const std::size_t padding_before = runs.front().valid ? 0 : 1;
  const auto at = static_cast<std::size_t>(q.document) + padding_before;
  return at < runs.size() ? runs.subspan(at, 1) : std::span<const TokenRun>();
}

Index padding_count(const SequenceLayout& layout) {
  Index padding = 0;
  for (const auto& run : layout.kv_runs())
    if (!run.valid) padding += run.tokens.size();
  return padding;
}

std::size_t document_count(const SequenceLayout& layout) {
  if (layout.has_slots()) return 1;
  std::size_t count = 0;
  for (const auto& run : layout.kv_runs()) count += run.valid ? 1 : 0;
  return count;
}

CellSet real_queries(const SequenceLayout& layout) {
  CellSet region;
  for (const TokenRun& q : layout.q_runs())
    if (q.valid) region.append(Band::whole(q.tokens, {0, layout.kv_length()}));
  return region;
}

CellSet padding_keys(const SequenceLayout& layout) {
  CellSet region;
  for (const TokenRun& q : layout.q_runs())
    for (const TokenRun& kv : layout.kv_runs())
      if (q.valid && !kv.valid) region.append(Band::whole(q.tokens, kv.tokens));
  return region;
}

CellSet other_documents(const SequenceLayout& layout) {
  const auto runs = layout.kv_runs();
  const Index begin = runs.front().valid ? 0 : runs.front().tokens.end;
  const Index end = runs.back().valid ? runs.back().tokens.end : runs.back().tokens.begin;
  CellSet region;
  for_each_document(layout, [&](const TokenRun& q, const TokenRun& kv, Index) {
    region.append(Band::whole(q.tokens, {begin, kv.tokens.begin}));
    region.append(Band::whole(q.tokens, {kv.tokens.end, end}));
  });
  return region;
}

CellSet own_keys(const SequenceLayout& layout) {
  CellSet region;
  for_each_document(layout, [&](const TokenRun& q, const TokenRun& kv, Index same) {
    region.append({q.tokens, {same, kv.tokens.begin, kv.tokens.end}, {same + 1, kv.tokens.begin, kv.tokens.end}});
  });
  return region;
}

CellSet columns_beyond(Extent extent, Index offset) {
  CellSet region;
  region.append({{0, extent.rows}, {offset + 1, 0, extent.cols}, Ramp::constant(extent.cols)});
  return region;
}

}  // namespace vqscope
