// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors and files of a run: --array NAME=FILE, --array qkv=FILE, --set NAME=FILE.
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/io/tensor/tensor_file.h"
#include "core/method/method.h"
#include "core/method/run_result.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope {

/// The arguments after `export METHOD` if the method is a run: its parameters, inputs and outputs.
struct RunArguments {
  const Method& method;
  const RunRecipe& recipe;
  std::vector<Setting> settings;
  std::vector<Setting> arrays;  ///< each a tensor in a file
  bool isQkv = false;           ///< q, k and v were named together, by --array qkv
  std::optional<Index> batch;   ///< sample of tensors with a dimension of samples
  std::vector<Setting> files;   ///< each a file that the run reads itself; the last one of a name is used
  std::optional<std::string> preset = {};
  bool force = false;
  std::vector<std::string> outputs;
};

/// Refuses options that a run does not have, and outputs that it does not write. Opens the file of
/// --array qkv to find its tensors.
Result<RunArguments> runArguments(const Method& method, const ExportArguments& given);

/// Defaults, then --set, within their ranges.
Result<ParameterValues> runValues(const RunArguments& run);

/// The run's file that the name refers to; null: none.
const RunOutput* outputOf(const RunRecipe& recipe, const std::string& path);

/// Whether the output is the report.
bool isReport(const RunOutput& output);

/// Keyed by the name of the run's input.
using StoredTensors = std::map<std::string, StoredTensor>;

/// Loads all given arrays; required ones must be given. Together they must fit into `memory` bytes
/// as float32; 0: no limit.
Result<StoredTensors> findTensors(const RunArguments& run, double memory);

/// Opens all given files; required ones must be given.
Result<RunFiles> findFiles(const RunArguments& run);

/// Sets the parameters that the inputs determine, unless the arguments set them. Returns sentences on
/// them.
std::vector<std::string> takeImplied(const RunArguments& run, const StoredTensors& tensors, ParameterValues& values);

/// Takes the mask in the file of --array qkv as the run's mask_file, unless it is causal or the
/// arguments say which keys are seen. Returns a sentence on a mask that differs by head, which is
/// not applied.
std::string takeMask(RunArguments& run, const Work& work);

Result<RunInputs> readTensors(const StoredTensors& stored, const Work& work);

/// Bytes of a tensor of that shape as float32.
double floatBytes(const std::vector<Index>& shape);

/// Appends the file of every array that the sentence names: "k has nan at ... (k: k.npy)".
Error withFiles(const Error& error, const RunArguments& run);

}  // namespace vqscope
