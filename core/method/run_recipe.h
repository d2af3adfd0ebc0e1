// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/method/parameter.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

struct RunRequest;
struct RunResult;

/// A tensor or a file that a run is given by its name, beside its parameters.
struct RunInput {
  std::string name;
  std::string help;  ///< its shapes, and what it does: "[T, d_k] or [heads, T, d_k]"
  bool required = false;
  bool flags = false;   ///< bool and whole bytes too, as 0 and 1
  bool file = false;    ///< the run reads the whole file itself
  bool folder = false;  ///< a folder too
  Index rank = 0;       ///< most dimensions; a further one is of samples, of which --batch selects one; 0: it has none
};

/// A file that a run can leave: its path is the suffix, or ends with a dot and the suffix.
struct RunOutput {
  std::string suffix;  ///< "npy", "safetensors", "config.json"; "json": the report
  std::string help;
};

/// The run's file whose suffix fits the path, which is in small letters, the longest of several;
/// null: there is none.
const RunOutput* find_output(std::span<const RunOutput> outputs, std::string_view path);

/// Shapes of the inputs, by their names; `qkv`, without a shape, if q, k and v were named together.
using RunShapes = std::map<std::string, std::vector<Index>>;

/// Values that follow from the inputs, each with a sentence where it needs one.
struct ImpliedValues {
  ParameterValues values;
  std::map<std::string, std::string> sentences = {};  ///< by the name of the value
};

/// A method that computes over the user's tensors or files and writes files.
struct RunRecipe {
  std::vector<RunInput> inputs;
  std::vector<RunOutput> outputs;
  bool answers = false;  ///< the fact `summary` says the result, also where no file is written
  /// Parameters that follow from the inputs unless they are set; empty: none. Shapes are unchecked;
  /// the values are those that are set, and defaults.
  std::function<ImpliedValues(const RunShapes&, const ParameterValues&)> implied;
  /// The sentences of errors name an input as "k is" or "k has".
  std::function<Result<RunResult>(RunRequest, const ParameterValues&, const Work&)> make;
};

}  // namespace vqscope
