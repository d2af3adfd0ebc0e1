// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/png/png_chunks.h"

#include "core/base/text.h"

#include <zlib.h>
#include <algorithm>
#include <climits>
#include <vector>

namespace vqscope {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t chunk_frame = 12;  // length, type, checksum
constexpr std::size_t header_bytes = 13;
constexpr unsigned most_filter = 4;

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

Error damaged(const std::string& what) { return invalid("the PNG image is damaged: " + what); }

struct Chunk {
  std::string_view type;
  std::string_view data;
  std::string_view whole;
};

/// Takes the first chunk off `bytes`.
Result<Chunk> take_chunk(std::string_view& bytes) {
  if (bytes.size() < chunk_frame) return damaged("it is cut short");
  const std::uint64_t length = big_endian(bytes.substr(0, 4));
  if (length > bytes.size() - chunk_frame) return damaged("it is cut short");
  const auto size = static_cast<std::size_t>(length);
  const Chunk chunk{bytes.substr(4, 4), bytes.substr(8, size), bytes.substr(0, size + chunk_frame)};
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(chunk.type.data()), size + 4);
  if (sum != big_endian(bytes.substr(8 + size, 4)))
    return damaged("the checksum of its part " + shortened(chunk.type) + " does not match");
  bytes.remove_prefix(chunk.whole.size());
  return chunk;
}

bool is_depth(unsigned colour, unsigned depth) {
  switch (colour) {
    case 0: return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    case 3: return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case 2:
    case 4:
    case 6: return depth == 8 || depth == 16;
    default: return false;
  }
}

/// A number of rows of equal size in bytes; an interlaced image has seven of these groups.
struct Pass {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

std::vector<Pass> passes_of(const PngHeader& header) {
  if (!header.interlaced) return {{header.height, header.row_bytes(header.width)}};
  constexpr std::array<std::array<std::uint64_t, 4>, 7> adam7{
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  std::vector<Pass> passes;
  for (const auto& [x, y, dx, dy] : adam7) {
    const std::uint64_t columns = header.width > x ? (header.width - x + dx - 1) / dx : 0;
    const std::uint64_t rows = header.height > y ? (header.height - y + dy - 1) / dy : 0;
    if (columns > 0 && rows > 0) passes.push_back({rows, header.row_bytes(columns)});
  }
  return passes;
}

/// Checks the filter of each inflated row.
class Rows {
 public:
  explicit Rows(const PngHeader& header) : m_passes(passes_of(header)) {}

  bool done() const { return m_pass == m_passes.size(); }
  /// False: unknown filter.
  bool take(std::string_view bytes) {
    while (!bytes.empty() && !done()) {
      if (m_in_row == 0 && static_cast<unsigned char>(bytes.front()) > most_filter) return false;
      const auto some = std::min<std::uint64_t>(m_passes[m_pass].bytes - m_in_row, bytes.size());
      bytes.remove_prefix(static_cast<std::size_t>(some));
      m_in_row += some;
      if (m_in_row == m_passes[m_pass].bytes) next();
    }
    return true;
  }

 private:
  void next() {
    m_in_row = 0;
    if (++m_row < m_passes[m_pass].rows) return;
    m_row = 0;
    ++m_pass;
  }

  std::vector<Pass> m_passes;
  std::size_t m_pass = 0;
  std::uint64_t m_row = 0;
  std::uint64_t m_in_row = 0;
};

class Inflater {
 public:
  Inflater() { m_ready = inflateInit(&m_zlib) == Z_OK; }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&m_zlib); }

  /// Checks that the rows are complete and the stream's checksum follows.
  Result<void> check(const std::vector<std::string_view>& parts, Rows& rows) {
    for (const auto part : parts) {
      m_zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
      m_zlib.avail_in = static_cast<uInt>(part.size());
      while (!m_over && (m_zlib.avail_in > 0 || m_zlib.avail_out == 0)) {
        if (auto made = make(rows); !made) return made;
        if (m_stuck) break;
      }
    }
    if (!m_over || !rows.done()) return damaged("its pixels are cut short");
    return {};
  }

 private:
  Result<void> make(Rows& rows) {
    m_zlib.next_out = reinterpret_cast<Bytef*>(m_out.data());
    m_zlib.avail_out = static_cast<uInt>(m_out.size());
    const int status = m_ready ? inflate(&m_zlib, Z_NO_FLUSH) : Z_MEM_ERROR;
    m_stuck = status == Z_BUF_ERROR;
    m_over = status == Z_STREAM_END;
    if (status != Z_OK && !m_stuck && !m_over)
      return damaged(std::string("its pixels cannot be inflated, ") + (m_zlib.msg ? m_zlib.msg : zError(status)));
    const std::size_t size = m_out.size() - m_zlib.avail_out;
    if (size > 0 && rows.done()) return damaged("it has more pixels than its header says");
    return rows.take({m_out.data(), size}) ? Result<void>() : damaged("a row has an unknown PNG filter");
  }

  z_stream m_zlib{};
  std::array<char, 65536> m_out;
  bool m_ready = false;
  bool m_stuck = false;
  bool m_over = false;
};

bool is_palette(const Chunk& chunk, const PngHeader& header) {
  const std::size_t colours = chunk.data.size() / 3;
  return chunk.data.size() % 3 == 0 && colours > 0 && colours <= (header.colour == 3 ? 1U << header.depth : 256U);
}

}  // namespace

std::uint64_t PngHeader::channels() const { return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1; }

Result<PngHeader> read_png_header(std::string_view bytes) {
  if (!bytes.starts_with(signature)) return invalid("not a PNG image: the signature is missing");
  bytes.remove_prefix(signature.size());
  const auto chunk = take_chunk(bytes);
  if (!chunk) return chunk.error();
  if (chunk->type != "IHDR" || chunk->data.size() != header_bytes) return damaged("it has no header");
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(chunk->data[at]); };
  const PngHeader header{big_endian(chunk->data.substr(0, 4)), big_endian(chunk->data.substr(4, 4)), byte(8), byte(9),
                         byte(12) == 1};
  if (!is_depth(header.colour, header.depth) || byte(10) != 0 || byte(11) != 0 || byte(12) > 1)
    return damaged("its header names an unknown pixel format");
  if (header.width == 0 || header.height == 0 || header.width > INT_MAX || header.height > INT_MAX)
    return damaged("its header says that it has " + to_text(static_cast<Index>(header.width)) + " x " +
                   to_text(static_cast<Index>(header.height)) + " pixels");
  return header;
}

Result<std::string> essential_png(std::string_view bytes, const PngHeader& header) {
  std::string essential(signature);
  std::vector<std::string_view> pixels;
  bool palette = false, gap = false;
  bytes.remove_prefix(signature.size());
  for (bool first = true;; first = false) {
    const auto chunk = take_chunk(bytes);
    if (!chunk) return chunk.error();
    if (chunk->type == "IEND") {
      essential += chunk->data.empty() ? chunk->whole : std::string_view();
      break;
    }
    if (chunk->type == "IDAT") {
      if (gap) return damaged("its pixel data is not contiguous");
      pixels.push_back(chunk->data);
    } else if (chunk->type == "PLTE") {
      if (palette || !pixels.empty() || !is_palette(*chunk, header)) return damaged("its palette is invalid");
      palette = true;
    } else if (chunk->type != "IHDR" || !first) {
      if ((chunk->type[0] & 0x20) == 0) return damaged("it contains an unknown critical chunk");
      gap = !pixels.empty();
      continue;
    }
    essential += chunk->whole;
  }
  if (header.colour == 3 && !palette) return damaged("its palette is missing");
  Rows rows(header);
  if (auto checked = Inflater().check(pixels, rows); !checked) return checked.error();
  return essential;
}

}  // namespace vqscope
