// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/context_loss.h"

#include "core/model/pass/transformer_pass.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Of the rows that go through together.
constexpr Index most_tokens = 8192;

}  // namespace

Result<double> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                            const TokenBatch& batch, std::span<const std::int32_t> positions,
                            const std::stop_token& stop) {
  const Index rows = std::clamp<Index>(most_tokens / batch.length, 1, batch.rows);
  const Batch all{batch.rows, batch.length, batch.tokens, batch.labels, positions};
  std::unique_ptr<TransformerPass<float>> pass;
  double sum = 0;
  Index counted = 0;
  for (Index begin = 0; begin < batch.rows; begin += rows) {
    const Range some{begin, std::min(batch.rows, begin + rows)};
    if (!pass || some.size() != rows) {
      auto made = TransformerPass<float>::create(config, parameters.layout, some.size(), batch.length, Keep::logits);
      if (!made) return made.error();
      pass = std::move(*made);
    }
    const Batch part{some.size(), batch.length, all.rows_of(all.tokens, some), all.rows_of(all.labels, some),
                     all.rows_of(all.position_ids, some)};
    const auto losses = pass->run(parameters, part, nullptr, 1, stop);
    if (!losses) return losses.error();
    sum += losses->ce_loss * static_cast<double>(losses->counted);
    counted += losses->counted;
  }
  return sum / static_cast<double>(std::max<Index>(1, counted));
}

}  // namespace vqscope
