// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_batch.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// Appends tokens [begin, begin + length) as a row, each labelled with the token after it.
void append_row(std::span<const std::int32_t> stream, Index begin, Index length, TokenBatch& batch) {
  const auto at = stream.begin() + begin;
  batch.tokens.insert(batch.tokens.end(), at, at + length);
  batch.labels.insert(batch.labels.end(), at + 1, at + 1 + length);
}

}  // namespace

Result<TokenBatch> training_batch(std::span<const std::int32_t> stream, Index step, Index rows, Index length) {
  const Index places = static_cast<Index>(stream.size()) - (length + 1);
  if (places <= 0)
    return invalid("the text has {} tokens but must be more than {} to train on sequences of {}", stream.size(),
                   length + 1, length);
  TokenBatch batch{.rows = rows, .length = length};
  for (Index row = 0; row < rows; ++row) append_row(stream, (step * rows + row) * (length + 1) % places, length, batch);
  return batch;
}

Result<TokenBatch> PairedWindows::batch(std::span<const std::int32_t> stream, Index length) const {
  if (length < scored || length > first_end)
    return invalid("the context has {} tokens but must be from {} to {}", length, scored, first_end);
  if (const Index needed = first_end + (windows - 1) * stride + 1; static_cast<Index>(stream.size()) < needed)
    return invalid("the stream has {} tokens but must be at least {}", stream.size(), needed);
  TokenBatch batch{.rows = windows, .length = length};
  for (Index window = 0; window < windows; ++window) {
    append_row(stream, first_end + window * stride - length, length, batch);
    const auto row = batch.labels.end() - length;
    std::fill(row, row + (length - scored), ignored_label);
  }
  return batch;
}

}  // namespace vqscope
