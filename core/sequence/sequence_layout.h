// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/method/parameter.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope {

/// A segment of tokens: document `document` from its position `first` on, or padding.
struct TokenRun {
  Range tokens;
  Index first = 0;     ///< position_id of tokens.begin
  Index document = 0;  ///< -1 in padding
  bool valid = true;   ///< false: padding, whose position_ids are all `first`
  Index position(Index token) const { return valid ? first + (token - tokens.begin) : first; }
  friend bool operator==(const TokenRun&, const TokenRun&) = default;
};

enum class PaddingSide { left, right };

/// Which tokens the queries are.
enum class QuerySource {
  keys,  ///< self-attention: query i is key token past_len + i
  own,   ///< a sequence of its own (encoder-decoder): query i has position past_len + i
};

struct SequenceInput {
  Index q_length = 1;
  Index kv_length = 0;  ///< 0: q_length + past_len
  Index past_len = 0;   ///< key tokens that are in the cache before the first query
  PaddingSide padding_side = PaddingSide::right;
  Index padding = 0;                    ///< key tokens that are padding
  std::vector<Index> document_lengths;  ///< empty: one document; else they add up to kv_length - padding
  Index prefix_length = 0;              ///< leading positions that a prefix-LM sees from everywhere
  QuerySource query_source = QuerySource::keys;
};

/// Decides positions, never the tensor column: position_ids restart with each document and leave
/// left padding out (attention_mask.cumsum - 1, padding at 0). Memory grows with the number of
/// documents, not with T.
class SequenceLayout {
 public:
  /// Errors name the length that does not fit.
  static Result<SequenceLayout> make(const SequenceInput& input);

  /// The same keys in the slots of a cache that is written in another order, as a ring: `positions`
  /// [kv_length] holds the position of the token in each slot, -1 where the slot is empty. Two
  /// slots may hold one position (a draft tree). The queries are consecutive tokens from
  /// `first_query` on; if that is not given, they end at the newest token, or begin at 0 if all
  /// slots are empty. Their own keys may be in no slot: overwritten, or not written yet, and a
  /// query before the first token has a negative position. One document; past_len() becomes the
  /// number of older tokens. Errors name the slot.
  Result<SequenceLayout> with_slots(std::span<const Index> positions, std::optional<Index> first_query = {}) const;
  /// The same where the keys are the newest of the past_len + q_length tokens, in order: the older
  /// ones are gone.
  SequenceLayout with_newest_keys() const;
  /// The same queries at these position_ids, one for each; -1 is padding.
  SequenceLayout with_query_positions(std::span<const Index> positions) const;
  bool has_slots() const { return m_has_slots; }

  Index q_length() const { return m_input.q_length; }
  Index kv_length() const { return m_input.kv_length; }
  Index past_len() const { return m_input.past_len; }
  Index prefix_length() const { return m_input.prefix_length; }
  QuerySource query_source() const { return m_input.query_source; }

  /// position_ids; `q` in [0, q_length), `kv` in [0, kv_length).
  Index q_pos(Index q) const { return q_run(q).position(q); }
  Index kv_pos(Index kv) const { return kv_run(kv).position(kv); }
  /// document_id, -1 in padding.
  Index q_document(Index q) const { return q_run(q).document; }
  Index kv_document(Index kv) const { return kv_run(kv).document; }
  bool q_valid(Index q) const { return q_run(q).valid; }
  bool key_valid(Index kv) const { return kv_run(kv).valid; }

  /// The key that is the same token as the query; nothing where queries are a sequence of their
  /// own, or no slot has it.
  std::optional<Index> key_of(Index q) const;

  const SequenceInput& input() const { return m_input; }

  /// The runs cover [0, q_length) and [0, kv_length) without gaps, in order.
  std::span<const TokenRun> q_runs() const { return m_q_runs; }
  std::span<const TokenRun> kv_runs() const { return m_kv_runs; }

 private:
  SequenceLayout with_keys(std::vector<TokenRun> kv_runs, Index first_query) const;
  const TokenRun& q_run(Index q) const;
  const TokenRun& kv_run(Index kv) const;

  SequenceInput m_input;
  bool m_has_slots = false;
  std::vector<TokenRun> m_q_runs;
  std::vector<TokenRun> m_kv_runs;
};

/// The layout's knobs. `lengths`: q_length, kv_length, past_len. `positions`: also padding_side,
/// padding, document_lengths.
enum class SequenceUse { lengths, positions };
std::vector<ParameterSpec> sequence_parameters(SequenceUse use, Index default_q_length);

/// kv_length as it is used: the given one, else q_length + past_len.
ParameterValues lengths_in_force(const ParameterValues& values);

/// Reads whichever of the layout's names the values have.
SequenceInput sequence_input(const ParameterValues& values);

}  // namespace vqscope
