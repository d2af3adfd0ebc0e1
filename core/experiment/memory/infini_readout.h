// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `infini_readout`: what an Infini-attention memory returns for one stored pair as segments pass,
/// and the memory's fraction of the output.
Method infini_readout_method();

}  // namespace vqscope
