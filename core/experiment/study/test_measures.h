// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/token_batch.h"
#include "core/model/tensors/parameters.h"

#include <span>
#include <stop_token>

namespace vqscope {

/// One number that tells how well a model does on a batch: forward alone, some rows at a time, on one thread.
/// `positions` is empty, or as the batch's tokens.
using TestMeasure = Result<double> (*)(const TransformerConfig& config, const Parameters<float>& parameters,
                                       const TokenBatch& batch, std::span<const std::int32_t> positions,
                                       const std::stop_token& stop);

/// The mean loss, in nats, over the labels that count.
Result<double> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                            const TokenBatch& batch, std::span<const std::int32_t> positions,
                            const std::stop_token& stop);

/// The share of rows all of whose counted labels are the tokens of the largest logit, given the true tokens before
/// each: those that greedy decoding answers right.
Result<double> exact_match(const TransformerConfig& config, const Parameters<float>& parameters,
                           const TokenBatch& batch, std::span<const std::int32_t> positions,
                           const std::stop_token& stop);

/// The share of counted labels that are the token of the largest logit, given the true tokens before each.
Result<double> token_accuracy(const TransformerConfig& config, const Parameters<float>& parameters,
                              const TokenBatch& batch, std::span<const std::int32_t> positions,
                              const std::stop_token& stop);

}  // namespace vqscope
