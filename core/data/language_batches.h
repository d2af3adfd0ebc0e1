// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/data/token_batch.h"

#include <span>

namespace vqscope {

/// Sequences of `length` tokens cut out of one stream, step after step without overlap until its end is reached, where
/// it begins again. Row `row` of step `step`, from 0, begins at (step · rows + row) · (length + 1), modulo the stream's
/// length minus (length + 1); every token is scored. Refuses a stream that has no more than length + 1 tokens.
Result<TokenBatch> training_batch(std::span<const std::int32_t> stream, Index step, Index rows, Index length);

/// Windows of a stream whose scored targets are the same whatever their context: window i ends before token
/// first_end + i · stride, and its last `scored` tokens are scored. Only the context before them grows with `length`,
/// so that the difference of two lengths' losses has little sampling noise.
struct PairedWindows {
  std::uint64_t seed = 90001;
  Index stream_length = 120000;
  Index windows = 96;
  Index first_end = 1100;
  Index stride = 1200;
  Index scored = 32;

  /// Refuses a length that the first window does not have, or that is below `scored`.
  Result<TokenBatch> batch(std::span<const std::int32_t> stream, Index length) const;
};

}  // namespace vqscope
