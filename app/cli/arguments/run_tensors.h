// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors and files that a run is given: --array NAME=FILE, --set NAME=FILE.
#pragma once

#include "app/cli/arguments/run_arguments.h"
#include "core/io/tensor/tensor_file.h"

#include <map>

namespace vqscope {

/// By the name of the run's input.
using StoredTensors = std::map<std::string, StoredTensor>;

/// All that are named, and all that are required. Together they must fit into `memory` bytes as float32; 0: no limit.
Result<StoredTensors> findTensors(const RunArguments& run, double memory);

/// All whole files that are named, opened, and all that are required.
Result<RunFiles> findFiles(const RunArguments& run);

/// Sets what the inputs decide, unless the arguments do.
void takeImplied(const RunArguments& run, const StoredTensors& tensors, ParameterValues& values);

Result<RunInputs> readTensors(const StoredTensors& stored, const Work& work);

/// Bytes of a tensor of that shape as float32.
double floatBytes(const std::vector<Index>& shape);

/// Says which file an array came from, for every array that the sentence is about: "k has nan at ... (k: k.npy)".
Error withFiles(const Error& error, const RunArguments& run);

}  // namespace vqscope
