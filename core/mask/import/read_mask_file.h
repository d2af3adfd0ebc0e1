// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/mask_array.h"

#include <optional>
#include <string>

namespace vqscope {

/// The parts of a path to a tensor in a .npz or .safetensors file, or to one matrix of a .npy file: m.npz:mask,
/// m.npy[0,3]. Nothing for other files.
std::optional<TensorName> mask_tensor(const std::string& path);

/// Reads an imported mask by its extension: .npy, .csv, .txt, .tsv or .png; .npz and .safetensors with the tensor's
/// name after a colon if they hold several. Errors begin with the path.
Result<ReadMask> read_mask_file(const std::string& path, const ImportOptions& options = {});

}  // namespace vqscope
