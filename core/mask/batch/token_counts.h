// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <optional>
#include <string>

namespace vqscope {

/// A number of samples or tokens and the input that has it.
struct NamedCount {
  Index count = 0;
  std::string phrase;  ///< "labels has 6 tokens"
};

/// Keeps the first of several inputs that have the same number of something; of two that differ,
/// the error names both: "labels has 6 tokens, but the mask m.npy has 8 queries".
class SharedCount {
 public:
  Result<void> take(NamedCount given);
  const std::optional<NamedCount>& known() const { return m_known; }

 private:
  std::optional<NamedCount> m_known;
};

/// The numbers of queries and keys of inputs about one sequence.
class TokenCounts {
 public:
  Result<void> take_queries(NamedCount given) { return m_queries.take(std::move(given)); }
  Result<void> take_keys(NamedCount given) { return m_keys.take(std::move(given)); }

  /// Queries that follow `past_len` cached keys: q_length, as far as the inputs tell. The error
  /// names the two that contradict each other.
  Result<std::optional<Index>> q_length(Index past_len) const;
  std::optional<Index> queries() const;
  std::optional<Index> keys() const;
  /// The number of queries, else of keys, and the input that has it.
  const std::optional<NamedCount>& known() const { return m_queries.known() ? m_queries.known() : m_keys.known(); }

 private:
  SharedCount m_queries;
  SharedCount m_keys;
};

}  // namespace vqscope
