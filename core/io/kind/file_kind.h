// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/kind/known_file.h"

#include <string_view>

namespace vqscope {

/// The kind of a file by its first bytes; of a zip archive also by the names of its members. The
/// suffix of the path decides only between tables of numbers and texts, and for binary files that
/// begin like no known kind. Errors are those of reading.
Result<KnownFile> file_kind(const ByteSource& file, std::string_view path);

/// "is an HTML page, must be a config.json", to end a sentence that begins with the file.
Error unexpected_kind(const KnownFile& file, std::string_view expected);

/// The error of a file's contents as a sentence about the file: "page.npy is an HTML page, …",
/// "q.npy: the NPY header …".
Error in_file(std::string_view path, const Error& error);

}  // namespace vqscope
