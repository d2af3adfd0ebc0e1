// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/token_counts.h"

#include "core/base/sentence.h"

#include <utility>

namespace vqscope {
namespace {

std::optional<Index> count_of(const SharedCount& shared) {
  return shared.known() ? std::optional(shared.known()->count) : std::nullopt;
}

}  // namespace

Result<void> SharedCount::take(NamedCount given) {
  if (m_known && m_known->count != given.count) return invalid("{}, but {}", given.phrase, m_known->phrase);
  if (!m_known) m_known = std::move(given);
  return {};
}

std::optional<Index> TokenCounts::queries() const { return count_of(m_queries); }
std::optional<Index> TokenCounts::keys() const { return count_of(m_keys); }

Result<std::optional<Index>> TokenCounts::q_length(Index past_len) const {
  const auto& q = m_queries.known();
  const auto& kv = m_keys.known();
  if (!q && !kv) return std::optional<Index>();
  if (q && kv && q->count + past_len != kv->count)
    return invalid("{}, but {}{}", q->phrase, kv->phrase,
                   past_len > 0 ? fmt::format(", and past_len is {}", past_len) : "");
  if (q) return std::optional(q->count);
  if (kv->count <= past_len) return invalid("{}, but past_len is {}", kv->phrase, past_len);
  return std::optional(kv->count - past_len);
}

}  // namespace vqscope
