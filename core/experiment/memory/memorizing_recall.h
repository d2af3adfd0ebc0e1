// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `memorizing_recall`: what a memory of keys retrieves, its fraction of attention and its cost,
/// against its size or against top_k.
Method memorizing_recall_method();

}  // namespace vqscope
