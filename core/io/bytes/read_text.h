// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>

namespace vqscope {

/// All bytes of a file or a pipe, or of standard input for "-". More than `most` bytes are
/// Errc::too_large and are not held in memory. `path` is bytes in any encoding. Errors give the
/// reason alone, for a sentence that names the path.
Result<std::string> read_text(const std::string& path, std::size_t most);

}  // namespace vqscope
