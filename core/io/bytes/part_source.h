// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <memory>
#include <string>

namespace vqscope {

/// Some bytes of another source, within its size.
class PartSource : public ByteSource {
 public:
  PartSource(std::shared_ptr<const ByteSource> whole, std::uint64_t offset, std::uint64_t size)
      : m_whole(std::move(whole)), m_offset(offset), m_size(size) {}

  std::uint64_t size() const override { return m_size; }
  bool is_shareable() const override { return m_whole->is_shareable(); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    return m_whole->read(m_offset + offset, out);
  }

 private:
  std::shared_ptr<const ByteSource> m_whole;
  std::uint64_t m_offset;
  std::uint64_t m_size;
};

/// Owns its bytes.
class OwnedSource : public ByteSource {
 public:
  explicit OwnedSource(std::string bytes) : m_bytes(std::move(bytes)), m_source(m_bytes) {}
  std::uint64_t size() const override { return m_source.size(); }
  bool is_shareable() const override { return true; }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override { return m_source.read(offset, out); }

 private:
  std::string m_bytes;
  MemorySource m_source;
};

}  // namespace vqscope
