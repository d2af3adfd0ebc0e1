// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_model`: quality and cost of small VQ models that are trained here, by codebook size or by training step, with
/// and without the compressive cache, and of full attention (Transformer-VQ, Lingle 2023, tables 1
/// and 2).
Method vq_model_method();

}  // namespace vqscope
