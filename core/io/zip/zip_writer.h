// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_sink.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace vqscope {

/// A member of an archive, whose bytes are made while they are written.
struct ZipPart {
  std::string name;
  std::uint64_t size = 0;
  std::function<Result<void>(ByteSink&)> write;  ///< called twice; `size` bytes, the same each time
};

/// Writes an archive of stored members, at most 4 GiB in all, with no date in it: the same parts
/// give the same bytes.
Result<void> write_zip(std::span<const ZipPart> parts, ByteSink& sink);

}  // namespace vqscope
