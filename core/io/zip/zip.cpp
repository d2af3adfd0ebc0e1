// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/zip.h"

#include "core/base/sentence.h"
#include "core/io/bytes/part_source.h"
#include "core/io/zip/inflated.h"

#include <zlib.h>
#include <algorithm>

namespace vqscope {
namespace {

constexpr std::uint64_t end_bytes = 22;
constexpr std::uint64_t longest_comment = 65535;
constexpr std::uint64_t locator_bytes = 20;
constexpr std::uint64_t end64_bytes = 56;
constexpr std::uint64_t entry_bytes = 46;
constexpr std::uint64_t local_bytes = 30;
constexpr std::uint64_t longest_directory = std::uint64_t{1} << 26;
constexpr std::uint64_t most_members = std::uint64_t{1} << 16;
/// Headers of members below this size are read together.
constexpr std::uint64_t small_member = 4096;
constexpr std::uint64_t headers_at_once = std::uint64_t{1} << 16;

Error bad_archive(const std::string& what) { return invalid("the zip archive " + what); }

Result<std::string> bytes_at(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  std::string bytes(static_cast<std::size_t>(count), '\0');
  if (auto read = source.read(offset, bytes); !read) return read.error();
  return bytes;
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

/// `count` bytes of `record` from `at` on.
std::uint64_t field(std::string_view record, std::size_t at, std::size_t count) {
  return little_endian(record.substr(at, count));
}

/// For archives beyond 4 GiB, and for those written as if they could be.
Result<Directory> find_directory64(const ByteSource& archive, std::string_view locator) {
  const std::uint64_t at = field(locator, 8, 8);
  if (archive.size() < end64_bytes || at > archive.size() - end64_bytes)
    return bad_archive("is cut short: its 64-bit end record lies outside it");
  const auto record = bytes_at(archive, at, end64_bytes);
  if (!record) return record.error();
  if (!record->starts_with("PK\6\6")) return bad_archive("is damaged: its 64-bit end record is not where it should be");
  return Directory{field(*record, 48, 8), field(*record, 40, 8), field(*record, 32, 8)};
}

/// Finds the directory by the end record, the last thing in the archive except for a comment.
Result<Directory> find_directory(const ByteSource& archive) {
  const std::uint64_t tail_bytes = std::min(archive.size(), end_bytes + longest_comment + locator_bytes);
  const auto tail = bytes_at(archive, archive.size() - tail_bytes, tail_bytes);
  if (!tail) return tail.error();
  const std::string_view text = *tail;
  for (std::size_t at = text.rfind("PK\5\6"); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind("PK\5\6", at - 1)) {
    const auto record = text.substr(at);
    if (record.size() < end_bytes || field(record, 20, 2) != record.size() - end_bytes) continue;
    if (at >= locator_bytes && text.substr(at - locator_bytes).starts_with("PK\6\7"))
      return find_directory64(archive, text.substr(at - locator_bytes, locator_bytes));
    return Directory{field(record, 16, 4), field(record, 12, 4), field(record, 10, 2)};
  }
  return bad_archive("is cut short or not a zip file: its end record is missing");
}

/// Sizes and offsets that do not fit 32 bits are in an extra field, in this order.
void read_extra64(std::string_view extra, std::uint64_t& size, std::uint64_t& stored, std::uint64_t& header) {
  while (extra.size() >= 4) {
    const auto id = field(extra, 0, 2);
    auto content = extra.substr(4, static_cast<std::size_t>(field(extra, 2, 2)));
    extra.remove_prefix(4 + content.size());
    if (id != 1) continue;
    for (auto* value : {&size, &stored, &header})
      if (*value == 0xffffffff && content.size() >= 8) {
        *value = field(content, 0, 8);
        content.remove_prefix(8);
      }
  }
}

Error bad_member(const ZipMember& member, const std::string& what) {
  return invalid("the member {} {}", shortened(member.name), what);
}

/// The members according to the directory; `offset` is still that of the local header.
Result<std::vector<ZipMember>> read_entries(std::string_view text, std::uint64_t count) {
  std::vector<ZipMember> members;
  members.reserve(static_cast<std::size_t>(count));
  for (; count > 0; --count) {
    if (text.size() < entry_bytes || !text.starts_with("PK\1\2"))
      return bad_archive(fmt::format("is damaged: entry {} of its directory is not valid", members.size() + 1));
    const std::uint64_t name = field(text, 28, 2), extra = field(text, 30, 2), comment = field(text, 32, 2);
    if (text.size() - entry_bytes < name + extra + comment)
      return bad_archive(fmt::format("is damaged: entry {} extends beyond its directory", members.size() + 1));
    ZipMember member{.name = std::string(text.substr(entry_bytes, name)),
                     .encrypted = (field(text, 8, 2) & 1) != 0,
                     .method = static_cast<int>(field(text, 10, 2)),
                     .offset = field(text, 42, 4),
                     .stored = field(text, 20, 4),
                     .size = field(text, 24, 4),
                     .checksum = static_cast<std::uint32_t>(field(text, 16, 4))};
    read_extra64(text.substr(entry_bytes + name, extra), member.size, member.stored, member.offset);
    members.push_back(std::move(member));
    text.remove_prefix(entry_bytes + name + extra + comment);
  }
  return members;
}

Result<void> check_size(const ZipMember& member) {
  if (member.method == 0 && member.size != member.stored)
    return bad_member(
        member, fmt::format("is stored as it is in {} bytes but says that it has {}", member.stored, member.size));
  if (member.method == 8 && member.size / most_expansion > member.stored)
    return bad_member(
        member, fmt::format("says that it has {} bytes, which deflate cannot hold in {}", member.size, member.stored));
  return {};
}

/// The headers beside the data, read in the order of their places.
class LocalHeaders {
 public:
  explicit LocalHeaders(const ByteSource& archive) : m_archive(archive) {}

  /// Moves `offset` from the member's header to its data, which must end at `end` or before.
  Result<void> find_data(std::uint64_t end, ZipMember& member) {
    const auto beyond = [&] { return bad_member(member, "does not lie within the archive, or overlaps another"); };
    if (member.offset > end || end - member.offset < local_bytes) return beyond();
    if (auto read = read_at(member); !read) return read;
    const auto header = std::string_view(m_bytes).substr(member.offset - m_begin, local_bytes);
    if (!header.starts_with("PK\3\4")) return bad_member(member, "is not where the directory says");
    const std::uint64_t skipped = local_bytes + field(header, 26, 2) + field(header, 28, 2);
    if (end - member.offset < skipped || end - member.offset - skipped < member.stored) return beyond();
    member.offset += skipped;
    return check_size(member);
  }

 private:
  Result<void> read_at(const ZipMember& member) {
    if (member.offset >= m_begin && member.offset + local_bytes <= m_begin + m_bytes.size()) return {};
    const std::uint64_t count = member.stored < small_member ? headers_at_once : local_bytes;
    auto bytes = bytes_at(m_archive, member.offset, std::min(count, m_archive.size() - member.offset));
    if (!bytes) return bytes.error();
    m_begin = member.offset;
    m_bytes = std::move(*bytes);
    return {};
  }

  const ByteSource& m_archive;
  std::uint64_t m_begin = 0;
  std::string m_bytes;
};

/// Verifies the checksum of the bytes of another source.
class CheckedSource : public ByteSource {
 public:
  CheckedSource(std::shared_ptr<const ByteSource> bytes, ZipMember member)
      : m_bytes(std::move(bytes)), m_member(std::move(member)) {}

  std::uint64_t size() const override { return m_member.size; }

  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    if (auto read = m_bytes->read(offset, out); !read)
      return read.error().code == Errc::io ? read.error() : bad_member(m_member, read.error().message);
    if (offset > m_checked || offset + out.size() <= m_checked) return {};
    const auto fresh = out.subspan(static_cast<std::size_t>(m_checked - offset));
    m_sum = crc32_z(m_sum, reinterpret_cast<const Bytef*>(fresh.data()), fresh.size());
    m_checked += fresh.size();
    if (m_checked < m_member.size || m_sum == m_member.checksum) return {};
    return bad_member(m_member, "is damaged: its checksum does not match its bytes");
  }

 private:
  std::shared_ptr<const ByteSource> m_bytes;
  ZipMember m_member;
  mutable std::uint64_t m_checked = 0;
  mutable uLong m_sum = crc32_z(0, nullptr, 0);
};

}  // namespace

Result<std::vector<ZipMember>> read_zip_directory(const ByteSource& archive) {
  const auto directory = find_directory(archive);
  if (!directory) return directory.error();
  const auto [offset, size, entries] = *directory;
  if (offset > archive.size() || size > archive.size() - offset)
    return bad_archive("is cut short: its directory does not lie within it");
  if (size > longest_directory)
    return bad_archive(fmt::format("has a directory of {} bytes but must be at most {}", size, longest_directory));
  if (entries > size / entry_bytes) return bad_archive("is damaged: its directory is too short for its entries");
  if (entries > most_members)
    return bad_archive(fmt::format("has {} members but must have at most {}", entries, most_members));
  const auto text = bytes_at(archive, offset, size);
  if (!text) return text.error();
  auto members = read_entries(*text, entries);
  if (!members) return members;
  std::vector<ZipMember*> by_place;
  for (auto& member : *members) by_place.push_back(&member);
  std::ranges::stable_sort(by_place, {}, &ZipMember::offset);
  LocalHeaders headers(archive);
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    const std::uint64_t end = i + 1 < by_place.size() ? std::min(by_place[i + 1]->offset, offset) : offset;
    if (auto found = headers.find_data(end, *by_place[i]); !found) return found.error();
  }
  return members;
}

Result<std::shared_ptr<const ByteSource>> open_zip_member(std::shared_ptr<const ByteSource> archive,
                                                          const ZipMember& member) {
  if (member.encrypted) return bad_member(member, "is encrypted, which is not supported");
  if (member.method != 0 && member.method != 8)
    return bad_member(member,
                      fmt::format("is compressed by method {} but must be 0 (stored) or 8 (deflated)", member.method));
  std::shared_ptr<const ByteSource> bytes =
      std::make_shared<PartSource>(std::move(archive), member.offset, member.stored);
  if (member.method == 8) bytes = std::make_shared<InflatedSource>(std::move(bytes), member.size);
  return std::shared_ptr<const ByteSource>(std::make_shared<CheckedSource>(std::move(bytes), member));
}

}  // namespace vqscope
