// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// The label of a token whose prediction is not scored.
inline constexpr std::int32_t ignored_label = -100;

/// Sequences of one length, row after row. labels[row, t] is the token that follows tokens[row, t],
/// or ignored_label.
struct TokenBatch {
  Index rows = 0;
  Index length = 0;
  std::vector<std::int32_t> tokens;  ///< [rows, length]
  std::vector<std::int32_t> labels;  ///< [rows, length]

  friend bool operator==(const TokenBatch&, const TokenBatch&) = default;
};

/// A text and what is predicted at each of its places: the token, or ignored_label.
struct TokenStream {
  TokenStream(std::span<const std::int32_t> all) : tokens(all), targets(all) {}
  TokenStream(const std::vector<std::int32_t>& all) : TokenStream(std::span(all)) {}
  TokenStream(std::span<const std::int32_t> all, std::span<const std::int32_t> scored) : tokens(all), targets(scored) {}

  std::span<const std::int32_t> tokens;
  std::span<const std::int32_t> targets;
};

/// Sequences of `length` tokens cut out of one stream, without overlap from step to step until the
/// end of the stream, then from its start again. Row `row` of step `step`, from 0, begins at (step
/// · rows + row) · (length + 1), modulo the stream's length minus (length + 1); every target
/// is scored. Refuses a stream of length + 1 tokens or fewer.
Result<TokenBatch> training_batch(const TokenStream& stream, Index step, Index rows, Index length);

/// Every target of a stream after its first token once (sliding evaluation): windows of `length`
/// tokens, `stride` after each other and the last one at the end; each scores the targets that no
/// earlier one has. A shorter stream is one window. Refuses a stream of fewer than two tokens.
Result<TokenBatch> sliding_windows(const TokenStream& stream, Index length, Index stride);

/// Windows of a stream whose scored targets are the same for every context length: window i ends
/// before token first_end + i · stride, and its last `scored` tokens are scored. Only the context
/// before them grows with `length`, so the difference between the losses at two lengths has little
/// sampling noise.
struct PairedWindows {
  std::uint64_t seed = 90001;
  Index stream_length = 120000;
  Index windows = 96;
  Index first_end = 1100;
  Index stride = 1200;
  Index scored = 32;

  /// The same with so few windows that those of the longest context have about 2^20 tokens, but at least 8.
  PairedWindows for_context(Index longest) const;

  /// Refuses a length that is longer than the first window allows or below `scored`.
  Result<TokenBatch> batch(const TokenStream& stream, Index length) const;
};

}  // namespace vqscope
