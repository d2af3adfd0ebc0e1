// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// A file within a zip archive.
struct ZipMember {
  std::string name;
  bool encrypted = false;
  int method = 0;            ///< 0: stored as it is, 8: deflated
  std::uint64_t offset = 0;  ///< of its data within the archive
  std::uint64_t stored = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< bytes of its own
  std::uint32_t checksum = 0;
};

/// The members of an archive, in its directory's order; zip64 too. They lie one after the other within the archive, and
/// no size is larger than what deflate can make of the bytes that are there: nobody allocates for a directory that
/// lies.
Result<std::vector<ZipMember>> read_zip_directory(const ByteSource& archive);

/// The bytes of a stored or deflated member. They are inflated as they are asked for; what is read from the first byte
/// to the last is held against the member's checksum.
Result<std::shared_ptr<const ByteSource>> open_zip_member(std::shared_ptr<const ByteSource> archive,
                                                          const ZipMember& member);

}  // namespace vqscope
