// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"
#include "tests/core/io/npy/npy_bytes.h"

#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

namespace vqscope::test {

/// A file that owns its bytes.
class BytesSource : public ByteSource {
 public:
  explicit BytesSource(std::string bytes) : m_bytes(std::move(bytes)), m_source(m_bytes) {}
  std::uint64_t size() const override { return m_source.size(); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override { return m_source.read(offset, out); }

 private:
  std::string m_bytes;
  MemorySource m_source;
};

inline std::shared_ptr<const ByteSource> source_of(std::string bytes) {
  return std::make_shared<BytesSource>(std::move(bytes));
}

/// `count` bytes, the lowest first.
inline std::string number_bytes(std::uint64_t number, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i, number >>= 8) bytes += static_cast<char>(number & 0xff);
  return bytes;
}

inline std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A zip archive, field by field; the fields of a member may be changed before it is written.
class ZipBytes {
 public:
  struct Member {
    std::string name;
    std::string stored;
    std::uint64_t size = 0;
    std::uint32_t checksum = 0;
    int method = 0;
    int flags = 0;
    std::uint64_t shift = 0;  ///< added to its place in the directory
  };

  void add(const std::string& name, const std::string& bytes, bool deflate) {
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    members.push_back({name, deflate ? deflated(bytes) : bytes, bytes.size(),
                       static_cast<std::uint32_t>(crc32_z(0, data, bytes.size())), deflate ? 8 : 0});
  }

  /// `zip64`: sizes and offsets stand in 64-bit fields, as of an archive beyond 4 GiB.
  std::string bytes(bool zip64 = false, const std::string& comment = {}) const {
    std::string file, directory;
    for (const Member& m : members) {
      const std::string common =
          number_bytes(static_cast<std::uint64_t>(m.flags), 2) + number_bytes(static_cast<std::uint64_t>(m.method), 2) +
          number_bytes(0, 4) + number_bytes(m.checksum, 4) +
          (zip64 ? std::string(8, '\xff') : number_bytes(m.stored.size(), 4) + number_bytes(m.size, 4)) +
          number_bytes(m.name.size(), 2);
      const std::string extra = zip64 ? number_bytes(1, 2) + number_bytes(24, 2) + number_bytes(m.size, 8) +
                                            number_bytes(m.stored.size(), 8) + number_bytes(file.size() + m.shift, 8)
                                      : std::string();
      directory += "PK\1\2" + number_bytes(20, 2) + number_bytes(20, 2) + common + number_bytes(extra.size(), 2) +
                   number_bytes(0, 10) + (zip64 ? std::string(4, '\xff') : number_bytes(file.size() + m.shift, 4)) +
                   m.name + extra;
      file += "PK\3\4" + number_bytes(20, 2) + common + number_bytes(3, 2) + m.name + "xyz" + m.stored;
    }
    const std::size_t at = file.size();
    file += directory;
    if (zip64) {
      const std::size_t end = file.size();
      file += "PK\6\6" + number_bytes(44, 8) + number_bytes(20, 4) + number_bytes(0, 8) +
              number_bytes(members.size(), 8) + number_bytes(members.size(), 8) + number_bytes(directory.size(), 8) +
              number_bytes(at, 8);
      file += "PK\6\7" + number_bytes(0, 4) + number_bytes(end, 8) + number_bytes(1, 4);
    }
    file += "PK\5\6" + number_bytes(0, 4) + number_bytes(zip64 ? 0xffff : members.size(), 2) +
            number_bytes(zip64 ? 0xffff : members.size(), 2) + number_bytes(zip64 ? 0xffffffff : directory.size(), 4) +
            number_bytes(zip64 ? 0xffffffff : at, 4) + number_bytes(comment.size(), 2) + comment;
    return file;
  }

  std::vector<Member> members;
};

inline std::string safetensors_file(const std::string& header, const std::string& data) {
  return number_bytes(header.size(), 8) + header + data;
}

}  // namespace vqscope::test
