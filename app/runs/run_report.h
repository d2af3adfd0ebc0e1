// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runs/run_inputs.h"
#include "core/method/method.h"

#include <string>

namespace vqscope {

/// {"experiment", "parameters", "arrays", "files", "shape", "tensors", "machine", "seconds"}, as
/// far as they apply, and the facts of the result. "shape" is the shape of a single output tensor,
/// "tensors" holds the shapes of several.
std::string reportAsJson(const Method& method, const ParameterValues& values, const StoredTensors& tensors,
                         const RunFiles& files, const RunResult& result);

}  // namespace vqscope
