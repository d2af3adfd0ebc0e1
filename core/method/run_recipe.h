// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/method/parameter.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vqscope {

struct CurveSet;

/// float32 numbers with their shape, in C order.
struct Tensor {
  std::vector<Index> shape;
  std::vector<float> values;
};

/// A tensor or a file that a run is given by its name, beside its parameters.
struct RunInput {
  std::string name;
  std::string help;  ///< its shapes, and what it does: "[T, d_k] or [heads, T, d_k]"
  bool required = false;
  bool flags = false;  ///< bool and whole bytes too, as 0 and 1
  bool file = false;   ///< the run reads the whole file itself
};

/// A file that a run can leave: its path is the suffix, or ends with a dot and the suffix.
struct RunOutput {
  std::string suffix;  ///< "npy", "safetensors", "config.json"; "json": the report
  std::string help;
};

/// The run's file whose suffix fits the path, which is in small letters, the longest of several; null: there is none.
const RunOutput* find_output(std::span<const RunOutput> outputs, std::string_view path);

/// A file that a run reads itself. Errors of the run name the path.
struct RunFile {
  std::string path;
  std::shared_ptr<const ByteSource> bytes;
};

/// By the names of the inputs.
using RunInputs = std::map<std::string, Tensor>;
using RunFiles = std::map<std::string, RunFile>;
using RunShapes = std::map<std::string, std::vector<Index>>;

struct RunRequest {
  RunInputs inputs;     ///< those that are required, and no unknown one
  double memory = 0;    ///< bytes for the inputs and everything after; 0: no limit
  RunFiles files = {};  ///< as inputs
  /// Asked of an output's size before the work: an error ends the run. Empty: any will do.
  std::function<Result<void>(const std::string& suffix, double bytes)> accept = {};
  /// Suffixes of the outputs that are asked for: others need not be made. Nothing: all.
  std::optional<std::vector<std::string>> outputs = {};

  bool wants(std::string_view suffix) const {
    return !outputs || std::find(outputs->begin(), outputs->end(), suffix) != outputs->end();
  }
};

/// What a file of a run holds: one tensor (.npy), tensors with names (.safetensors), or a text.
using RunContent = std::variant<Tensor, std::vector<NamedTensor>, std::string>;

struct RunResult {
  std::map<std::string, RunContent> contents = {};  ///< of every output but the report, by its suffix
  int threads = 1;
  ParameterValues facts;                                ///< for the report; a.b is b of the object a
  std::vector<std::string> remarks;                     ///< sentences for people
  std::vector<std::pair<std::string, double>> seconds;  ///< that each step took, in their order
  std::shared_ptr<const CurveSet> curves = {};          ///< for Method::run_curves; null: it has none
};

/// A method that computes over tensors or files of somebody's own and leaves files.
struct RunRecipe {
  std::vector<RunInput> inputs;
  std::vector<RunOutput> outputs;
  /// Parameters that the inputs decide where nobody sets them; empty: none. Shapes are unchecked.
  std::function<ParameterValues(const RunShapes&)> implied;
  /// The sentences of errors name an input as "k is" or "k has".
  std::function<Result<RunResult>(RunRequest, const ParameterValues&, const Work&)> make;
};

}  // namespace vqscope
