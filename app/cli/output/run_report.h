// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/run_tensors.h"
#include "core/method/method.h"

namespace vqscope {

/// {"experiment", "parameters", "arrays", "shape", "machine", "seconds"} and the facts of the result.
std::string reportAsJson(const Method& method, const ParameterValues& values, const StoredTensors& tensors,
                         const RunResult& result);

}  // namespace vqscope
