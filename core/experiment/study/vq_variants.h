// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

#include <string>
#include <vector>

namespace vqscope {

/// `vq_cache`: whether the models of VQ attention have their cache.
ParameterSpec vq_cache_parameter(const std::vector<std::string>& vq_models);

/// VQ attention with the positions of those in `full` that it can have, Transformer-XL's first: each
/// with its cache, trained without it, and tested without it alone.
std::vector<ExtrapolationVariant> vq_variants(const std::vector<ExtrapolationVariant>& full);

}  // namespace vqscope
