// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>

namespace vqscope {

/// All bytes of a file, a pipe, or with "-" of standard input; more than `most` are Errc::too_large, and not held in
/// memory. `path` is bytes, whatever their encoding. Errors are the reason alone, for a sentence that names the path.
Result<std::string> read_text(const std::string& path, std::size_t most);

}  // namespace vqscope
