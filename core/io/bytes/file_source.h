// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string>

namespace vqscope {

/// A file on disk, read on demand, so it may be larger than memory; for one thread at a time.
/// `path` is bytes in any encoding. Errors name the path and the reason.
Result<std::shared_ptr<const ByteSource>> open_file(const std::string& path);

}  // namespace vqscope
