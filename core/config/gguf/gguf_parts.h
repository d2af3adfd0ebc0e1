// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF model in several files, as llama.cpp splits it: model-00001-of-00003.gguf and so on.
#pragma once

#include "core/io/gguf/gguf.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

struct GgufParts {
  std::string first;                ///< its head describes the model
  std::vector<std::string> others;  ///< in their order; they have tensors alone
};

/// The parts beside a file whose name says that it is one of several, whether they are there or not.
/// Nothing for other names.
std::optional<GgufParts> gguf_parts(const std::string& path);

/// Tensors of the other parts, whose data are not read.
struct OtherTensors {
  std::vector<GgufTensor> all;
  std::vector<std::string> problems;  ///< a sentence for each part that is missing or cannot be read
};
OtherTensors tensors_of_parts(const std::vector<std::string>& parts);

}  // namespace vqscope
