// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Trains a small transformer on synthetic data or on a text; outputs its weights, its config and
/// the loss curve.
Method train_model_method();

}  // namespace vqscope
