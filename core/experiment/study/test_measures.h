// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/token_batch.h"
#include "core/model/tensors/parameters.h"

#include <span>
#include <stop_token>

namespace vqscope {

/// One number for how well a model does on a batch: forward only, some rows at a time, on one
/// thread. `positions` is empty, or has the shape of the batch's tokens.
using TestMeasure = Result<double> (*)(const TransformerConfig& config, const Parameters<float>& parameters,
                                       const TokenBatch& batch, std::span<const std::int32_t> positions,
                                       const std::stop_token& stop);

/// The mean loss, in nats, over the counted labels.
Result<double> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                            const TokenBatch& batch, std::span<const std::int32_t> positions,
                            const std::stop_token& stop);

/// The fraction of rows in which every counted label is the token with the largest logit, given the
/// true tokens before it: those that greedy decoding answers correctly.
Result<double> exact_match(const TransformerConfig& config, const Parameters<float>& parameters,
                           const TokenBatch& batch, std::span<const std::int32_t> positions,
                           const std::stop_token& stop);

/// The fraction of counted labels that are the token with the largest logit, given the true tokens
/// before.
Result<double> token_accuracy(const TransformerConfig& config, const Parameters<float>& parameters,
                              const TokenBatch& batch, std::span<const std::int32_t> positions,
                              const std::stop_token& stop);

}  // namespace vqscope
