// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string>
#include <vector>

namespace vqscope {

/// A tensor of a checkpoint.
struct CheckpointTensor {
  std::string name;
  std::vector<Index> shape;
  bool read = false;  ///< false: the shape is not known, its file is not there or a quantiser packed it
};

/// Names and shapes of a model's weights. The weights themselves are not read.
struct Checkpoint {
  std::vector<CheckpointTensor> tensors;
  std::vector<std::string> files;     ///< whose heads were read
  std::vector<std::string> missing;   ///< that should be there
  std::vector<std::string> unread;    ///< in formats whose heads are not read, "consolidated.00.pth"
  std::vector<std::string> problems;  ///< a sentence for each file that is damaged

  bool is_empty() const { return files.empty() && missing.empty() && unread.empty() && problems.empty(); }
  /// Whether the names of all tensors are known.
  bool names_all() const {
    return !files.empty() && problems.empty() && unread.empty() && (missing.empty() || has_index);
  }
  bool has_index = false;
  bool has_pointers = false;  ///< files of Git LFS without their content are among the missing ones
};

/// The checkpoint of a model's folder: the files that model.safetensors.index.json names, or
/// model.safetensors, or the files model-*.safetensors; else the same of pytorch_model.bin; beside a
/// params.json consolidated.safetensors. Each file's head is bounded, and so are the numbers of files and
/// tensors.
Checkpoint read_checkpoint(const std::string& folder, bool params = false);

}  // namespace vqscope
