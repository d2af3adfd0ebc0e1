// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/key_ranges.h"

#include "core/mask/language/plain_mask.h"

#include <algorithm>

namespace vqscope {
namespace {

/// First of the keys [begin, query] that are near enough.
Index first_key(const TransformerConfig& config, Index query) {
  if (config.attn == AttentionKind::window) return std::max<Index>(0, query + 1 - config.window);
  if (config.quantises() && !config.cache) return std::max<Index>(0, query - config.block_len);
  if (config.attn != AttentionKind::xl) return config.segment_begin(query);
  const Index latest = config.same_length ? query + 1 - config.memory : 0;
  return std::max<Index>({0, latest, config.segment_begin(query) - config.memory});
}

/// Whether tokens of one row attend to each other.
class Belonging {
 public:
  Belonging(const Batch& batch, Index row)
      : m_docs(batch.rows_of(batch.doc_ids, {row, row + 1})), m_valid(batch.rows_of(batch.pad_mask, {row, row + 1})) {}

  bool attends(Index query, Index key) const {
    const auto q = static_cast<std::size_t>(query), k = static_cast<std::size_t>(key);
    if (!m_valid.empty() && (m_valid[q] == 0 || m_valid[k] == 0)) return false;
    return m_docs.empty() || m_docs[q] == m_docs[k];
  }

 private:
  std::span<const std::int32_t> m_docs;
  std::span<const std::int32_t> m_valid;
};

}  // namespace

Result<std::shared_ptr<const Mask>> model_mask(const TransformerConfig& config, Index length) {
  if (config.attn != AttentionKind::mask) return std::shared_ptr<const Mask>();
  return plain_mask(config.mask, length);
}

void attended_keys(const TransformerConfig& config, const Mask* mask, Index query, std::vector<Range>& out) {
  out.assign(1, {first_key(config, query), query + 1});
  if (!mask) return;
  mask->row(query, out);
  std::erase_if(out, [&](const Range& some) { return some.begin > query; });
  if (!out.empty()) out.back().end = std::min(out.back().end, query + 1);
}

void masked_keys(const TransformerConfig& config, const Mask& mask, Index row, Index query, std::vector<Range>& out) {
  mask.row(row, out);
  const bool whole = config.attn == AttentionKind::full || (config.quantises() && config.cache);
  if (whole) return;
  const Range own{first_key(config, query), query + 1};
  for (Range& some : out) some = common(some, own);
  std::erase_if(out, [](const Range& some) { return some.size() <= 0; });
}

KeyRanges::KeyRanges(const TransformerConfig& config, const Batch& batch, const Mask* mask)
    : m_length(batch.length), m_shared(batch.is_plain()) {
  std::vector<Range> visible;
  for (Index row = 0; row < (m_shared ? 1 : batch.rows); ++row) {
    const Belonging belonging(batch, row);
    for (Index query = 0; query < batch.length; ++query) {
      m_first.push_back(m_ranges.size());
      const Mask* own = batch.masks.empty() ? nullptr : batch.masks[static_cast<std::size_t>(row)];
      if (own)
        masked_keys(config, *own, query, query, visible);
      else
        attended_keys(config, mask, query, visible);
      if (m_shared || own) {
        m_ranges.insert(m_ranges.end(), visible.begin(), visible.end());
        continue;
      }
      for (const Range& some : visible)
        for (Index key = some.begin; key < some.end; ++key)
          if (belonging.attends(query, key)) add_key(key);
    }
  }
  m_first.push_back(m_ranges.size());
}

void KeyRanges::add_key(Index key) {
  if (m_ranges.size() > m_first.back() && m_ranges.back().end == key)
    ++m_ranges.back().end;
  else
    m_ranges.push_back({key, key + 1});
}

Range KeyRanges::span_of(Index row, Range queries) const {
  Range all{m_length, 0};
  for (Index query = queries.begin; query < queries.end; ++query) {
    const auto ranges = of(row, query);
    if (ranges.empty()) continue;
    all = {std::min(all.begin, ranges.front().begin), std::max(all.end, ranges.back().end)};
  }
  return all.begin < all.end ? all : Range{0, 0};
}

}  // namespace vqscope
