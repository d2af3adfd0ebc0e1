// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>

namespace vqscope {

/// Deflate expands one byte to at most so many.
inline constexpr std::uint64_t most_expansion = 1032;

/// The inflated contents of deflated bytes (RFC 1951). Reading from front to back takes little
/// memory; reading back past the current window keeps all of the contents in memory.
class InflatedSource : public ByteSource {
 public:
  /// `size`: inflated size in bytes. If the data ends earlier, reading gives an error that
  /// completes a sentence: "is cut short: …".
  InflatedSource(std::shared_ptr<const ByteSource> deflated, std::uint64_t size);
  ~InflatedSource() override;

  std::uint64_t size() const override { return m_size; }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override;

 private:
  class Stream;

  std::shared_ptr<const ByteSource> m_deflated;
  std::uint64_t m_size;
  mutable std::unique_ptr<Stream> m_stream;
};

}  // namespace vqscope
