// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Trains the model that the values of train_model, or the file `config`, describe. A stop after
/// the first step keeps what was trained so far if state.safetensors is requested. A loss that is
/// not finite ends the training with the weights before it.
Result<RunResult> run_training(const RunRequest& request, const ParameterValues& values, const Work& work);

}  // namespace vqscope
