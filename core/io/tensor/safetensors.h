// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"

#include <map>

namespace vqscope {

/// A tensor of a .safetensors file.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;              ///< as in the file: F32, BF16
  std::optional<NpyDtype> known;  ///< nothing: a dtype that is not read
  std::vector<Index> shape;
  std::uint64_t offset = 0;  ///< of the data within the file
};

/// Reads the file's header: its length in eight bytes, then a JSON object. As the format requires,
/// the tensors fill the rest of the file one after the other. Offsets that overlap, leave a gap,
/// leave the file or disagree with dtype and shape are refused. The entries are in the order of
/// their data.
Result<std::vector<SafetensorsEntry>> read_safetensors_header(const ByteSource& source);

/// The texts of the header's __metadata__; empty where the header cannot be read.
std::map<std::string, std::string> safetensors_metadata(const ByteSource& source);

}  // namespace vqscope
