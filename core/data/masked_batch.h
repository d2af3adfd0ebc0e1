// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/token_batch.h"

namespace vqscope {

/// Sequences of a masked language model (Devlin et al. 2019, section 3.1): each token is replaced by
/// `mask_token` with probability `fraction`, and labels[t] is the token itself where it was, else
/// ignored_label. At least one token is replaced. The same for the same seed.
TokenBatch masked_batch(const TokenBatch& batch, std::int32_t mask_token, double fraction, std::uint64_t seed);

}  // namespace vqscope
