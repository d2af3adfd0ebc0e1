// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// What a cache keeps of the tokens that were read.
enum class CachePolicy {
  full,
  window,          ///< the newest `window` tokens, in a ring
  sinks,           ///< the first `sinks` tokens, and the newest `window` in a ring
  transformer_xl,  ///< the segment so far, and the newest `memory_len` tokens before it
  memorizing,      ///< the same, but the memory is searched
  infini,          ///< the segment so far; earlier ones are in a matrix
  vq               ///< the newest two blocks; earlier ones are counted by codeword
};

/// What has become of a token when a newer one is read, from what is nowhere to what is at hand.
enum class TokenState {
  padding,     ///< no token: the lane is shorter than the batch's longest prompt
  to_come,     ///< not read yet
  evicted,     ///< no longer there
  compressed,  ///< in a matrix, or counted by its codeword
  searched,    ///< in a memory of which the best keys are read
  cached,      ///< read from the cache
  newest       ///< the token that reads
};
inline constexpr int token_states = 7;
std::string name_of(TokenState state);

struct CacheSizes {
  CachePolicy policy = CachePolicy::full;
  Index window = 8;
  Index sinks = 2;
  Index segment_len = 8;
  Index memory_len = 8;
  Index block_len = 4;
};

/// One sequence of a batch that is decoded together. Prompts are padded on the left to `padded` tokens; positions count
/// real tokens from 0.
struct DecodeLane {
  CacheSizes sizes;
  Index prompt = 1;  ///< real tokens before the first new one
  Index padded = 1;  ///< of the batch
  Index steps = 0;   ///< new tokens at most

  Index padding() const { return padded - prompt; }
  /// Position of the newest token after `step` new ones.
  Index newest(Index step) const { return prompt - 1 + step; }

  /// What has become of the token at `position`, negative in padding, when `newest` is read.
  TokenState state(Index position, Index newest) const;
  /// The first position of the stretch up to the newest that is kept one by one; sinks come before it.
  Index kept_from(Index newest) const;
  /// The first newest position at which the token at `position` was no longer kept one by one, at most `newest`;
  /// nothing: it still is, or it is a sink.
  std::optional<Index> left_at(Index position, Index newest) const;
  /// Tokens in the cache, the newest included.
  Index kept(Index newest) const;

  /// Slots of the cache, empty ones included.
  Index slot_count() const;
  /// The position that a slot holds; nothing: it is empty. Padding has negative positions.
  std::optional<Index> in_slot(Index slot, Index newest) const;
  /// The slot of a token that the cache keeps; nothing: it does not.
  std::optional<Index> slot_of(Index position, Index newest) const;
};

}  // namespace vqscope
