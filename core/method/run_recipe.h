// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/method/parameter.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// float32 numbers with their shape, in C order.
struct Tensor {
  std::vector<Index> shape;
  std::vector<float> values;
};

/// A tensor that a run is given by its name, beside its parameters.
struct RunInput {
  std::string name;
  std::string help;  ///< its shapes, and what it does: "[T, d_k] or [heads, T, d_k]"
  bool required = false;
  bool flags = false;  ///< bool and whole bytes too, as 0 and 1
};

/// A file that a run can leave.
struct RunOutput {
  std::string suffix;  ///< "npy": the tensor; "json": the report
  std::string help;
};

/// By the names of the inputs.
using RunInputs = std::map<std::string, Tensor>;
using RunShapes = std::map<std::string, std::vector<Index>>;

struct RunRequest {
  RunInputs inputs;   ///< those that are required, and no unknown one
  double memory = 0;  ///< bytes for the inputs and everything after; 0: no limit
  /// Asked of the output's shape before the work: an error ends the run. Empty: any will do.
  std::function<Result<void>(const std::vector<Index>& shape)> accept;
};

struct RunResult {
  Tensor output;
  int threads = 1;
  ParameterValues facts;                                ///< for the report; a.b is b of the object a
  std::vector<std::string> remarks;                     ///< sentences for people
  std::vector<std::pair<std::string, double>> seconds;  ///< that each step took, in their order
};

/// A method that computes over tensors of somebody's own and leaves files.
struct RunRecipe {
  std::vector<RunInput> inputs;
  std::vector<RunOutput> outputs;
  /// Parameters that the inputs decide where nobody sets them; empty: none. Shapes are unchecked.
  std::function<ParameterValues(const RunShapes&)> implied;
  /// The sentences of errors name an input as "k is" or "k has".
  std::function<Result<RunResult>(RunRequest, const ParameterValues&, const Work&)> make;
};

}  // namespace vqscope
