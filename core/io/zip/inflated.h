// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>

namespace vqscope {

/// What deflated bytes (RFC 1951) are once inflated. Made for reading from front to back, with little memory; who goes
/// back farther than a little has all of it kept.
class InflatedSource : public ByteSource {
 public:
  /// `size`: bytes that there will be. Fewer are an error of reading, which completes a sentence: "is cut short: …".
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
