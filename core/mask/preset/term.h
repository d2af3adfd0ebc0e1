// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <string>

namespace vqscope {

/// A query or a key as terms see it.
struct Token {
  Index index = 0;  ///< among the key tokens: past_len + row of a query; of a query of its own sequence, the row
  Index position = 0;
  Index document = 0;
  bool valid = true;
};

/// One condition of a mask: a query sees a key when every term holds.
///
/// Padding has no position. A term that compares positions leaves padding keys to key_valid, and orders a padding query
/// by its token index, as Hugging Face and FlexAttention's `kv_idx <= q_idx + past_len` do: padding on the left sees
/// nothing but padding, padding on the right the keys before it.
class Term {
 public:
  Term() = default;
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;
  virtual ~Term() = default;

  virtual std::string name() const = 0;

  /// The definition.
  virtual bool holds(const Token& q, const Token& kv) const = 0;

  /// Of a pair for which it does not hold, with the numbers: "kv_pos 317 > q_pos 230".
  virtual std::string why_not(const Token& q, const Token& kv) const = 0;

  /// Restricts a band of q's rows and kv's columns to where the term holds; false when nothing is left. Row r is the
  /// key token r + past_len.
  virtual bool narrow(const TokenRun& q, const TokenRun& kv, Index past_len, Band& band) const = 0;

  virtual bool compares_positions() const { return false; }
  virtual bool compares_documents() const { return false; }
};

using TermPtr = std::shared_ptr<const Term>;

/// The key is not padding.
TermPtr key_valid_term();
/// document_id of query and key are equal.
TermPtr same_document_term();
/// kv_pos <= q_pos.
TermPtr causal_term();
/// kv_pos < prefix_length or kv_pos <= q_pos; prefix_length >= 0.
TermPtr prefix_term(Index prefix_length);
/// q_pos - kv_pos < window, the token itself counted; window >= 1.
TermPtr sliding_window_term(Index window);

}  // namespace vqscope
