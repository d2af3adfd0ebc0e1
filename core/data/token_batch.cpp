// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_batch.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Appends tokens [begin, begin + length) as a row, each labelled with the target after it.
void append_row(const TokenStream& stream, Index begin, Index length, TokenBatch& batch) {
  const auto at = stream.tokens.begin() + begin;
  const auto target = stream.targets.begin() + begin + 1;
  batch.tokens.insert(batch.tokens.end(), at, at + length);
  batch.labels.insert(batch.labels.end(), target, target + length);
}

/// Ignores all labels of the last row but its last ones.
void score_last(Index scored, TokenBatch& batch) {
  const auto row = batch.labels.end() - batch.length;
  std::fill(row, row + (batch.length - scored), ignored_label);
}

}  // namespace

Result<TokenBatch> training_batch(const TokenStream& stream, Index step, Index rows, Index length) {
  const Index places = std::ssize(stream.tokens) - (length + 1);
  if (places <= 0)
    return invalid("the text has {} tokens but must be more than {} to train on sequences of {}", stream.tokens.size(),
                   length + 1, length);
  TokenBatch batch{.rows = rows, .length = length};
  for (Index row = 0; row < rows; ++row) append_row(stream, (step * rows + row) * (length + 1) % places, length, batch);
  return batch;
}

Result<TokenBatch> sliding_windows(const TokenStream& stream, Index length, Index stride) {
  const Index targets = std::ssize(stream.tokens) - 1;
  if (targets < 1) return invalid("the text has {} tokens but must be at least 2", stream.tokens.size());
  TokenBatch batch{.length = std::min(length, targets)};
  for (Index scored = 0; scored < targets; ++batch.rows) {
    const Index end = scored == 0 ? batch.length : std::min(scored + stride, targets);
    append_row(stream, end - batch.length, batch.length, batch);
    score_last(end - scored, batch);
    scored = end;
  }
  return batch;
}

PairedWindows PairedWindows::for_context(Index longest) const {
  constexpr Index most_tokens = Index{1} << 20, least_windows = 8;
  PairedWindows some = *this;
  some.windows = std::min(windows, std::max(least_windows, most_tokens / longest));
  return some;
}

Result<TokenBatch> PairedWindows::batch(const TokenStream& stream, Index length) const {
  if (length < scored || length > first_end)
    return invalid("the context has {} tokens but must be from {} to {}", length, scored, first_end);
  if (const Index needed = first_end + (windows - 1) * stride + 1; std::ssize(stream.tokens) < needed)
    return invalid("the stream has {} tokens but must be at least {}", stream.tokens.size(), needed);
  TokenBatch batch{.rows = windows, .length = length};
  for (Index window = 0; window < windows; ++window) {
    append_row(stream, first_end + window * stride - length, length, batch);
    score_last(scored, batch);
  }
  return batch;
}

}  // namespace vqscope
