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
  int method = 0;            ///< 0: stored, 8: deflated
  std::uint64_t offset = 0;  ///< of the data within the archive
  std::uint64_t stored = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< uncompressed bytes
  std::uint32_t checksum = 0;
};

/// The members of an archive in the order of its directory, zip64 included. They lie within the
/// archive without overlap, and no size exceeds what deflate can make of the bytes present, so a
/// false directory allocates nothing.
Result<std::vector<ZipMember>> read_zip_directory(const ByteSource& archive);

/// The bytes of a stored or deflated member, inflated on demand. When the last byte has been read
/// in sequence from the first, the checksum is verified.
Result<std::shared_ptr<const ByteSource>> open_zip_member(std::shared_ptr<const ByteSource> archive,
                                                          const ZipMember& member);

}  // namespace vqscope
