// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace vqscope {

/// A file on disk, read on demand, so it may be larger than memory. "-" is standard input; it and
/// pipes are kept in memory, at most 1 GiB, and give the same bytes whenever they are opened again.
/// `path` is bytes in any encoding. Errors name the path and the reason.
Result<std::shared_ptr<const ByteSource>> open_file(const std::string& path);

/// All bytes of a file or a pipe, or of standard input for "-". More than `most` bytes are
/// Errc::too_large and are not held in memory. `path` is bytes in any encoding. Errors give the
/// reason alone, for a sentence that names the path.
Result<std::string> read_text(const std::string& path, std::size_t most);

/// A path as a sentence quotes it: shown_path(), or "standard input" for "-".
std::string shown_input(std::string_view path);

}  // namespace vqscope
