// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>

namespace vqscope {

/// Source of a reader's bytes: a file, a buffer.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const = 0;

  /// Whether several threads may read at once, in any order.
  virtual bool is_shareable() const { return false; }

  /// Fills `out` with the bytes from `offset` on, all of them within size(), or gives Errc::io with
  /// the reason.
  virtual Result<void> read(std::uint64_t offset, std::span<char> out) const = 0;
};

/// Bytes in memory that must outlive this object.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : m_bytes(bytes) {}
  std::uint64_t size() const override { return m_bytes.size(); }
  bool is_shareable() const override { return true; }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    assert(offset <= m_bytes.size() && out.size() <= m_bytes.size() - offset);
    std::copy_n(m_bytes.data() + offset, out.size(), out.data());
    return {};
  }

 private:
  std::string_view m_bytes;
};

/// The number that at most eight bytes encode, lowest first, on a machine of any byte order.
inline std::uint64_t little_endian(std::string_view bytes) {
  assert(bytes.size() <= 8);
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

}  // namespace vqscope
