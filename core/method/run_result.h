// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of a run: only for code that makes or reads runs.
#pragma once

#include "core/io/bytes/byte_source.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/method/run_recipe.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace vqscope {

struct CurveSet;

/// float32 numbers with their shape, in C order.
struct Tensor {
  std::vector<Index> shape;
  std::vector<float> values;
};

/// A file that a run reads itself. Errors of the run name the path.
struct RunFile {
  std::string path;
  std::shared_ptr<const ByteSource> bytes;  ///< null: a folder, for an input that takes one
};

/// By the names of the inputs.
using RunInputs = std::map<std::string, Tensor>;
using RunFiles = std::map<std::string, RunFile>;

struct RunRequest {
  RunInputs inputs;     ///< those that are required, and no unknown one
  double memory = 0;    ///< bytes for the inputs and everything after; 0: no limit
  RunFiles files = {};  ///< as inputs
  /// Asked of an output's size before the work: an error ends the run. Empty: any will do.
  std::function<Result<void>(const std::string& suffix, double bytes)> accept = {};
  /// Suffixes of the requested outputs; others need not be made. Nothing: all.
  std::optional<std::vector<std::string>> outputs = {};

  bool wants(std::string_view suffix) const {
    return !outputs || std::find(outputs->begin(), outputs->end(), suffix) != outputs->end();
  }
};

/// Content of a file of a run: one tensor (.npy), tensors with names (.safetensors), or a text.
using RunContent = std::variant<Tensor, std::vector<NamedTensor>, std::string>;

struct RunResult {
  std::map<std::string, RunContent> contents = {};  ///< of every output but the report, by its suffix
  int threads = 1;
  ParameterValues facts;                                ///< for the report; a.b is b of the object a
  std::vector<std::string> remarks;                     ///< messages for the user
  std::vector<std::pair<std::string, double>> seconds;  ///< that each step took, in their order
  std::shared_ptr<const CurveSet> curves = {};          ///< for Method::run_curves; null: it has none
};

}  // namespace vqscope
