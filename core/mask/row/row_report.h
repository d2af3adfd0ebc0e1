// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope {

/// (name, value) pairs about a token.
using TokenFacts = std::vector<std::pair<std::string, std::string>>;

/// The visible keys of one query, as plain data.
struct RowReport {
  Index row = 0;
  Index keys = 0;              ///< kv_length
  std::vector<Range> visible;  ///< sorted, disjoint, not touching
  Index count = 0;             ///< keys in them
  TokenFacts facts;            ///< of the query: q_pos, q_doc

  bool empty() const { return visible.empty(); }
  /// The outermost keys of a row that sees any.
  Index first() const { return visible.front().begin; }
  Index last() const { return visible.back().end - 1; }
  bool sees(Index key) const;
};

/// `q` in [0, q_length). Errc::too_large where looking at the row takes too long.
Result<RowReport> row_report(const Mask& mask, Index q, const std::stop_token& stop = {});

/// Facts about the key only: kv_pos, kv_doc.
TokenFacts key_facts(const Mask& mask, Index q, Index kv);

/// "0–3, 17–230, 512", after `most` of them "and 12 more"; "none" when there is none.
std::string ranges_text(std::span<const Range> ranges, std::size_t most);

/// "sees 87 of 512 keys: 230–316" or "sees no key".
std::string row_sentence(const RowReport& report, std::size_t most_ranges);

/// "A and B differ in 2 keys: 4–5; A sees 3 of 9 keys: 3–5, B sees 1 of 9 keys: 3".
std::string compared_row_sentence(const RowReport& a, const RowReport& b, std::size_t most_ranges);

/// different: keys that a second mask shows differently.
enum class KeyFilter { all, visible, masked, different };

/// Some keys of a row, counted from 0. Its memory is that of the row's intervals, whatever the
/// number of keys.
class KeyList {
 public:
  KeyList() = default;
  /// `second`: the same row of the second mask; null: there is none, and no key is different.
  KeyList(const RowReport& row, KeyFilter filter, const RowReport* second = nullptr);

  Index size() const { return m_size; }
  /// `place` in [0, size()).
  Index at(Index place) const;
  /// Where the key stands; where it would, if it is not among them: size() behind the last.
  Index place_of(Index key) const;
  bool has(Index key) const;

 private:
  struct Piece {
    Range keys;
    Index place = 0;  ///< of its first key
  };

  void add(Range keys);

  std::vector<Piece> m_pieces;
  Index m_size = 0;
};

}  // namespace vqscope
