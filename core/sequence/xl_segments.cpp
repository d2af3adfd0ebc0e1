// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/xl_segments.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

Index round_up_quotient(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

Result<void> XlSegments::check() const {
  if (segment_len < 1 || segment_len > length)
    return invalid("segment_len is {} but must be 1 to {}, the number of tokens", segment_len, length);
  if (memory_len < 0) return invalid("memory_len is {} but must be 0 or more", memory_len);
  if (same_length && memory_len < 1)
    return invalid("memory_len is 0 but must be at least 1 with same_length: no query would see a key");
  if (layers < 1) return invalid("layers is {} but must be at least 1", layers);
  if (clamp_len < 0) return invalid("clamp_len is {} but must be 0 or more", clamp_len);
  return {};
}

bool XlSegments::sees(Index q, Index k) const {
  if (k < 0 || k > q || q >= length) return false;
  if (same_length) return q - k < memory_len;
  return segment_begin(k) == segment_begin(q) || segment_begin(q) - k <= memory_len;
}

Range XlSegments::visible(Index q) const {
  const Index first = same_length ? q - memory_len + 1 : segment_begin(q) - memory_len;
  return {std::max<Index>(first, 0), q + 1};
}

Range XlSegments::reach(Index q, Index depth) const {
  if (depth == 0) return {q, q + 1};
  // A memory begins within a segment, so each further hop starts from that segment's first token.
  const Index first =
      same_length ? q - depth * (memory_len - 1) : segment_begin(q) - (depth - 1) * memory_stride() - memory_len;
  return {std::max<Index>(first, 0), q + 1};
}

Index XlSegments::first_layer(Index q, Index k) const {
  if (k < 0 || k > q) return 0;
  const Range first = visible(q);
  if (first.contains(k)) return 1;
  const Index stride = same_length ? memory_len - 1 : memory_stride();
  return stride == 0 ? 0 : 1 + round_up_quotient(first.begin - k, stride);
}

Range XlSegments::learnt(Index q) const {
  const Index own = segment_begin(q);
  return {same_length ? std::max(own, q - layers * (memory_len - 1)) : own, q + 1};
}

Index XlSegments::dependency_length() const {
  return same_length ? layers * (memory_len - 1) + 1 : segment_len + (layers - 1) * memory_stride() + memory_len;
}

std::vector<XlHop> XlSegments::path(Index q, Index k) const {
  const Index depth = first_layer(q, k);
  if (depth == 0) return {};
  std::vector<XlHop> hops{{depth, q}};
  for (Index layer = depth - 1; layer >= 0; --layer)
    hops.push_back({layer, std::max(k, visible(hops.back().position).begin)});
  return hops;
}

}  // namespace vqscope
