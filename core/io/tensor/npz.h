// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/zip/zip.h"

#include <string>
#include <vector>

namespace vqscope {

/// An .npy member of an .npz archive; its name does not include ".npy".
struct NpzArray {
  std::string name;
  ZipMember member;
};
Result<std::vector<NpzArray>> npz_arrays(const ByteSource& archive);

}  // namespace vqscope
