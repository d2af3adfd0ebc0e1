// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string>

namespace vqscope {

/// Whether a file is written to its end. unknown: its format does not say, as of a text.
enum class Completeness { whole, partial, unknown };

/// By the sizes in the file's own headers: the data of arrays, the directory of an archive, the last
/// chunk of an image, the end of a pickle. Numbers are not read. An empty file is partial.
Completeness completeness_of(const std::shared_ptr<const ByteSource>& file, const std::string& path);

}  // namespace vqscope
