// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/method/run_result.h"
#include "core/model/tensors/named_tensors.h"

namespace vqscope {

/// Inputs of model runs, read from files. Errors begin with the file's path.

Result<ConfigValue> read_config_file(const RunFile& file);
Result<NamedTensors> open_tensors(const RunFile& file);

/// `precision`: float64 or float32.
ParameterSpec precision_parameter(const std::string& default_value);

/// The number of threads to use, of worker_threads_parameter().
int worker_threads(const ParameterValues& values);

}  // namespace vqscope
