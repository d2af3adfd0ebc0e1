// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/masked_batch.h"

#include "core/base/random.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

TokenBatch masked_batch(const TokenBatch& batch, std::int32_t mask_token, double fraction, std::uint64_t seed) {
  assert(!batch.tokens.empty());
  TokenBatch masked = batch;
  std::ranges::fill(masked.labels, ignored_label);
  SeededRandom random(seed);
  const auto hide = [&](std::size_t place) {
    masked.labels[place] = batch.tokens[place];
    masked.tokens[place] = mask_token;
  };
  for (std::size_t place = 0; place < batch.tokens.size(); ++place)
    if (random.uniform() <= fraction) hide(place);
  if (std::ranges::all_of(masked.labels, [](std::int32_t label) { return label == ignored_label; }))
    hide(static_cast<std::size_t>(random.bits() % batch.tokens.size()));
  return masked;
}

}  // namespace vqscope
