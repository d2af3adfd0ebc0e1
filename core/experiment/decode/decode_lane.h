// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string>

namespace vqscope {

/// Which tokens a cache keeps.
enum class CachePolicy {
  full,
  window,          ///< the newest `window` tokens, in a ring
  sinks,           ///< the first `sinks` tokens, and the newest `window` in a ring
  transformer_xl,  ///< the segment so far, and the newest `memory_len` tokens before it
  memorizing,      ///< as transformer_xl, but the memory is searched
  infini,          ///< the segment so far; earlier segments are in a matrix
  vq               ///< the newest two blocks; earlier tokens are counted by codeword
};

/// State of a token when a newer one is read, from absent to fully available.
enum class TokenState {
  padding,     ///< no token: the lane is shorter than the batch's longest prompt
  to_come,     ///< not read yet
  evicted,     ///< no longer in the cache
  compressed,  ///< in a matrix, or counted by its codeword
  searched,    ///< in a memory from which the best keys are read
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

/// One sequence of a batch in decoding. Prompts are padded on the left to `padded` tokens;
/// positions count real tokens from 0.
struct DecodeLane {
  CacheSizes sizes;
  Index prompt = 1;  ///< real tokens before the first new one
  Index padded = 1;  ///< padded prompt length of the batch
  Index steps = 0;   ///< maximum number of new tokens

  Index padding() const { return padded - prompt; }
  /// Position of the newest token after `step` new ones.
  Index newest(Index step) const { return prompt - 1 + step; }

  /// State of the token at `position`, negative in padding, when `newest` is read.
  TokenState state(Index position, Index newest) const;
  /// First position of the contiguous tokens up to the newest that are kept one by one; sinks come
  /// before.
  Index kept_from(Index newest) const;
  /// The value of newest, up to `newest`, from which the token at `position` was no longer kept one
  /// by one; empty: it still is, or it is a sink.
  std::optional<Index> left_at(Index position, Index newest) const;
  /// Number of tokens in the cache, including the newest.
  Index kept(Index newest) const;

  /// Number of slots of the cache, including empty ones.
  Index slot_count() const;
  /// The position that a slot holds; empty: none. Padding has negative positions.
  std::optional<Index> in_slot(Index slot, Index newest) const;
  /// The slot of a token; empty: the cache does not keep it.
  std::optional<Index> slot_of(Index position, Index newest) const;
};

}  // namespace vqscope
