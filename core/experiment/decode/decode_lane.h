// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/work.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/parameter.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// Which tokens a cache keeps.
enum class CachePolicy {
  full,
  paged,           ///< every token, in blocks that all lanes share
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
  Index block_len = 4;   ///< of VQ attention
  Index block_size = 4;  ///< slots of a block of a paged cache
};

/// One sequence of a batch in decoding. Prompts are padded on the left to `padded` tokens;
/// positions count real tokens from 0.
struct DecodeLane {
  CacheSizes sizes;
  Index prompt = 1;                ///< real tokens before the first new one
  Index padded = 1;                ///< padded prompt length of the batch
  Index steps = 0;                 ///< maximum number of new tokens
  std::optional<Index> ends = {};  ///< number of new tokens, of which the last ends the lane; empty: it goes on

  Index padding() const { return padded - prompt; }
  /// Position of the newest token after `step` new ones.
  Index newest(Index step) const { return prompt - 1 + std::min(step, ends.value_or(step)); }
  /// Whether the lane neither reads nor writes at this step: its end came before.
  bool has_ended(Index step) const { return ends && step > *ends; }

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

  /// Number of slots of the lane's cache, including empty ones; not of a paged one.
  Index slot_count() const;
  /// Of the lane's cache or blocks.
  Index empty_slots(Index newest) const;
  /// The position that a slot holds; empty: none. Padding has negative positions.
  std::optional<Index> in_slot(Index slot, Index newest) const;
  /// The slot of a token; empty: the cache does not keep it.
  std::optional<Index> slot_of(Index position, Index newest) const;
};

/// Deliberate mistakes of decoding loops.
enum class DecodeFault {
  none,
  restart,        ///< new tokens count positions from 0
  shared,         ///< one position for the batch: the column of the padded tensor
  ahead,          ///< new tokens are one position ahead, as after a rejected draft
  renumbered,     ///< the newest token's position is its index in the cache; older keys keep theirs
  empty_visible,  ///< slots that are not written yet are read
  stale_table,    ///< the block table is that of the prompts; block 0 stands for later blocks
  ended_writes    ///< a lane that has ended goes on reading and writing
};

struct DecodeFaultInfo {
  DecodeFault fault;
  std::string_view id;
  std::string_view help;
};
std::span<const DecodeFaultInfo> decode_fault_infos();

/// The position that the model gets for the token at `position`, with `newest` as the newest token
/// now.
Index given_position(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// Whether the newest token reads this token at a wrong distance.
bool reads_wrong_distance(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// "the lane has ended after 3 new tokens", for a lane that ends.
std::string end_of(const DecodeLane& lane);

/// One sentence on the effect of the fault on the newest token of a lane, and a `vqscope check`
/// that finds it; empty: no effect.
std::string fault_sentence(const DecodeLane& lane, DecodeFault fault, Index newest);
std::string fault_check(const DecodeLane& lane, DecodeFault fault, Index newest);

/// A batch at one step of decoding.
struct DecodeBatch {
  std::vector<DecodeLane> lanes;
  Index step = 0;  ///< new tokens so far
  DecodeFault fault = DecodeFault::none;

  /// Position of the newest token of a lane, with those that it should not have written.
  Index newest(const DecodeLane& lane) const {
    return fault == DecodeFault::ended_writes ? lane.prompt - 1 + step : lane.newest(step);
  }
  /// Whether a lane has ended and neither reads nor writes.
  bool rests(const DecodeLane& lane) const { return lane.has_ended(step) && fault != DecodeFault::ended_writes; }
  bool is_paged() const { return lanes.front().sizes.policy == CachePolicy::paged; }
};

/// `lengths`, `new_tokens`, `steps`, `step`, `policy` and its sizes, `fault`.
std::vector<ParameterSpec> decode_parameters();
/// `step`, from 0 to the number of steps.
std::vector<ParameterSpec> step_parameter(const ParameterValues& values);
Result<void> check_decode(const ParameterValues& values);
/// The batch of values that passed check_decode.
DecodeBatch decode_batch(const ParameterValues& values);
/// Faults by lane, and how `vqscope check` finds them; empty: no fault.
std::string decode_remark(const ParameterValues& values, const Work& work);

/// Scores of the newest token with cached keys that were rotated when they were written: Σ cos over
/// the pairs of RoPE, times the attention factors, for identical tokens.
class CachedScores {
 public:
  /// Sets the scaling's seq_len to the current length.
  CachedScores(const DecodeLane& lane, const RopeScaling& scaling, DecodeFault fault, Index newest);

  /// As the model computes it: positions as given, the key with the frequencies of the length at
  /// which it was written.
  double as_decoded(Index position) const;
  /// With true positions, and both with the frequencies of the current length.
  double right(Index position) const;

 private:
  double score(Index query, const RopeFrequencies& of_query, Index key, const RopeFrequencies& of_key) const;
  RopeFrequencies at_length(Index length) const;

  DecodeLane m_lane;
  RopeScaling m_scaling;
  DecodeFault m_fault;
  Index m_newest;
  RopeFrequencies m_now, m_at_prefill;
};

}  // namespace vqscope
