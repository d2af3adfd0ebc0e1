// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/layout_regions.h"

namespace vqscope {
namespace {

Band whole(Range rows, Range cols) { return {rows, Ramp::constant(cols.begin), Ramp::constant(cols.end)}; }

/// Calls visit(q_run, kv_run, same) for each run of real queries and its document's keys: the key at the query's own
/// position would stand in column q + same.
template <class Visit>
void for_each_document(const SequenceLayout& layout, const Visit& visit) {
  for (const TokenRun& q : layout.q_runs()) {
    if (!q.valid) continue;
    for (const TokenRun& kv : keys_of_document(layout, q))
      if (kv.valid) visit(q, kv, kv.tokens.begin - kv.first + q.first - q.tokens.begin);
  }
}

void append(Region& region, const Band& band) {
  if (band.rows.size() > 0 && band.hi.high > band.lo.low) region.push_back(band);
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

Region real_queries(const SequenceLayout& layout) {
  Region region;
  for (const TokenRun& q : layout.q_runs())
    if (q.valid) append(region, whole(q.tokens, {0, layout.kv_length()}));
  return region;
}

Region padding_keys(const SequenceLayout& layout) {
  Region region;
  for (const TokenRun& q : layout.q_runs())
    for (const TokenRun& kv : layout.kv_runs())
      if (q.valid && !kv.valid) append(region, whole(q.tokens, kv.tokens));
  return region;
}

Region other_documents(const SequenceLayout& layout) {
  const auto runs = layout.kv_runs();
  const Index begin = runs.front().valid ? 0 : runs.front().tokens.end;
  const Index end = runs.back().valid ? runs.back().tokens.end : runs.back().tokens.begin;
  Region region;
  for_each_document(layout, [&](const TokenRun& q, const TokenRun& kv, Index) {
    append(region, whole(q.tokens, {begin, kv.tokens.begin}));
    append(region, whole(q.tokens, {kv.tokens.end, end}));
  });
  return region;
}

Region own_keys(const SequenceLayout& layout) {
  Region region;
  for_each_document(layout, [&](const TokenRun& q, const TokenRun& kv, Index same) {
    append(region, {q.tokens, {same, kv.tokens.begin, kv.tokens.end}, {same + 1, kv.tokens.begin, kv.tokens.end}});
  });
  return region;
}

Region columns_beyond(Extent extent, Index offset) {
  Region region;
  append(region, {{0, extent.rows}, {offset + 1, 0, extent.cols}, Ramp::constant(extent.cols)});
  return region;
}

}  // namespace vqscope
