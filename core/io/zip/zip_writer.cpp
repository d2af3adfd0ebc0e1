// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/zip_writer.h"

#include <zlib.h>
#include <cassert>
#include <limits>

namespace vqscope {
namespace {

/// The checksum of what is written.
class ChecksumSink : public ByteSink {
 public:
  Result<void> write(std::string_view bytes) override {
    // Without a pointer zlib begins anew.
    if (bytes.empty()) return {};
    m_checksum = ::crc32_z(m_checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    return {};
  }
  std::uint32_t checksum() const { return static_cast<std::uint32_t>(m_checksum); }

 private:
  uLong m_checksum = ::crc32_z(0, nullptr, 0);
};

/// A record of little-endian numbers.
class Record {
 public:
  explicit Record(std::string_view signature) : m_bytes(signature) {}
  Record& two(std::uint64_t value) { return add(value, 2); }
  Record& four(std::uint64_t value) { return add(value, 4); }
  Record& text(std::string_view text) {
    m_bytes += text;
    return *this;
  }
  const std::string& bytes() const { return m_bytes; }

 private:
  Record& add(std::uint64_t value, int count) {
    for (int byte = 0; byte < count; ++byte) m_bytes += static_cast<char>(value >> 8 * byte & 255);
    return *this;
  }

  std::string m_bytes;
};

constexpr std::uint64_t version = 20;        // that can read it
constexpr std::uint64_t utf8_names = 0x800;  // a flag
constexpr std::uint64_t first_day = 0x21;    // 1 January 1980, where dates begin

/// What the header of a member and its entry in the directory have in common.
void describe(const ZipPart& part, std::uint32_t checksum, Record& record) {
  record.two(version).two(utf8_names).two(0).two(0).two(first_day);
  record.four(checksum).four(part.size).four(part.size).two(part.name.size()).two(0);
}

}  // namespace

Result<void> write_zip(std::span<const ZipPart> parts, ByteSink& sink) {
  std::uint64_t offset = 0;
  std::string directory;
  for (const ZipPart& part : parts) {
    assert(offset + part.size <= std::numeric_limits<std::uint32_t>::max());
    ChecksumSink checksum;
    if (auto read = part.write(checksum); !read) return read;
    Record header("PK\3\4");
    describe(part, checksum.checksum(), header);
    header.text(part.name);
    Record entry("PK\1\2");
    describe(part, checksum.checksum(), entry.two(version));
    directory += entry.two(0).two(0).two(0).four(0).four(offset).text(part.name).bytes();
    if (auto written = sink.write(header.bytes()); !written) return written;
    if (auto written = part.write(sink); !written) return written;
    offset += header.bytes().size() + part.size;
  }
  Record end("PK\5\6");
  end.two(0).two(0).two(parts.size()).two(parts.size()).four(directory.size()).four(offset).two(0);
  return sink.write(directory + end.bytes());
}

}  // namespace vqscope
