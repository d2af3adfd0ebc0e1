// SPDX-License-Identifier: GPL-3.0-or-later
// A file of several samples, as the window opens it.
#pragma once

#include "core/lint/batch/sample_batch.h"

#include <string>
#include <vector>

namespace vqscope {

struct ReadBatch {
  SampleBatch batch;
  std::string sentence;  ///< how the file was read, without its folders
  std::vector<std::string> warnings;
  bool has_two_readings = false;  ///< a matrix is read as an attention mask, and may be a mask
};

/// Reads the masks of a file, an attention mask, or all arrays of a file for which is_batch_file()
/// holds. `batch` and `head` of the options are ignored. Errors name the file.
Result<ReadBatch> read_batch(const std::string& path, const ImportOptions& options);

}  // namespace vqscope
