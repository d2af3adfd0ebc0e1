// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string>

namespace vqscope {

/// A file on disk, read as it is asked for, so its size is no matter; by one thread at a time. `path` is bytes,
/// whatever their encoding. Errors name it and the reason.
Result<std::shared_ptr<const ByteSource>> open_file(const std::string& path);

}  // namespace vqscope
