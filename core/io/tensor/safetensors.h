// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"

namespace vqscope {

/// A tensor of a .safetensors file.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;              ///< as the file has it: F32, BF16
  std::optional<NpyDtype> known;  ///< nothing: we do not read it
  std::vector<Index> shape;
  std::uint64_t offset = 0;  ///< of its data within the file
};

/// The file's header: eight bytes of its length, and a JSON object. As the format wants it, the tensors fill the rest
/// of the file one after the other: offsets that overlap, leave a gap or the file, or disagree with dtype and shape are
/// refused. In the order in which they lie.
Result<std::vector<SafetensorsEntry>> read_safetensors_header(const ByteSource& source);

}  // namespace vqscope
