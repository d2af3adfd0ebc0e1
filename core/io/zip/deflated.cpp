// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/deflated.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace vqscope {
namespace {

constexpr std::size_t deflated_piece_bytes = std::size_t{1} << 16;
constexpr int memory_level = 8;

}  // namespace

std::string deflate_bytes(std::string_view bytes) {
  z_stream zlib{};
  if (deflateInit2(&zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::string window(deflated_piece_bytes, '\0');
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::size_t some = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    zlib.avail_in = static_cast<uInt>(some);
    zlib.next_out = reinterpret_cast<Bytef*>(window.data());
    zlib.avail_out = static_cast<uInt>(window.size());
    status = deflate(&zlib, some == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(some - zlib.avail_in);
    out.append(window, 0, window.size() - zlib.avail_out);
  }
  deflateEnd(&zlib);
  return out;
}

}  // namespace vqscope
