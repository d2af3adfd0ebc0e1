// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors.h"

#include <optional>
#include <string>

namespace vqscope {

/// The entry of that name in a .safetensors file. Nothing: it is no such file, or does not have it. Headers of the
/// last files are remembered by each thread, as a dump of many layers in one file is opened for each tensor.
std::optional<SafetensorsEntry> stored_entry(const std::string& path, const std::string& name, const ByteSource& bytes);

}  // namespace vqscope
