// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/language_batches.h"
#include "core/model/tensors/parameters.h"

#include <stop_token>

namespace vqscope {

/// The mean loss, in nats, over the labels of a batch that count: forward alone, some rows at a time. `positions` is
/// empty, or as the batch's tokens. One thread.
Result<double> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                            const TokenBatch& batch, std::span<const std::int32_t> positions,
                            const std::stop_token& stop);

}  // namespace vqscope
