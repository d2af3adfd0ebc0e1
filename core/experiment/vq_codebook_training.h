// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_codebook_training`: commit loss, perplexity and dead codes of each step's keys before
/// learning.
Method vq_codebook_training_method();

}  // namespace vqscope
