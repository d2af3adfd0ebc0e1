// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_runs.h"

#include "core/io/npy/stored_number.h"

#include <cassert>
#include <cstring>

namespace vqscope {
namespace {

/// Elements that are compared together.
constexpr std::size_t compared_at_once = 32;

template <class Bits>
Bits bits_at(const char* row, std::size_t at) {
  Bits bits;
  std::memcpy(&bits, row + at * sizeof(Bits), sizeof(Bits));
  return bits;
}

/// The first element from `at` on that differs from `bits`.
template <class Bits>
std::size_t end_of_run(const char* row, std::size_t at, std::size_t count, Bits bits) {
  const std::size_t near = std::min(count, at + 8);
  for (; at < near; ++at)
    if (bits_at<Bits>(row, at) != bits) return at;
  for (; at + compared_at_once <= count; at += compared_at_once) {
    Bits differing = 0;
    for (std::size_t i = 0; i < compared_at_once; ++i)
      differing = static_cast<Bits>(differing | (bits_at<Bits>(row, at + i) ^ bits));
    if (differing != 0) break;
  }
  while (at < count && bits_at<Bits>(row, at) == bits) ++at;
  return at;
}

template <class Stored>
void append_row(const char* row, std::size_t count, bool swap, RunRows& out) {
  using Bits = BitsOf<Stored>;
  for (std::size_t at = 0; at < count;) {
    const std::size_t end = end_of_run(row, at + 1, count, bits_at<Bits>(row, at));
    out.runs.push_back(
        {to_double(stored_number<Stored>(row + at * sizeof(Stored), swap)), static_cast<std::uint32_t>(end)});
    at = end;
  }
  out.ends.push_back(out.runs.size());
}

Result<void> append_converted(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, Range rows,
                              RunRows& out) {
  std::vector<double> values(static_cast<std::size_t>(rows.size() * plane.cols));
  if (auto read = read_npy_rows(source, header, plane, rows, std::span(values)); !read) return read;
  const auto width = static_cast<std::size_t>(plane.cols);
  for (std::size_t at = 0; at < values.size(); at += width) append_runs(std::span(values).subspan(at, width), out);
  return {};
}

}  // namespace

void append_runs(std::span<const double> values, RunRows& rows) {
  append_row<double>(reinterpret_cast<const char*>(values.data()), values.size(), false, rows);
}

Result<void> read_npy_runs(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, Range rows,
                           std::vector<char>& bytes, RunRows& out) {
  const auto width = static_cast<std::uint64_t>(plane.cols);
  assert(width < std::uint64_t{1} << 32);
  if (plane.col_stride != 1 || plane.row_stride != width) return append_converted(source, header, plane, rows, out);
  const std::uint64_t row_bytes = width * static_cast<std::uint64_t>(header.dtype.bytes);
  bytes.resize(static_cast<std::size_t>(static_cast<std::uint64_t>(rows.size()) * row_bytes));
  const std::uint64_t first = plane.first * static_cast<std::uint64_t>(header.dtype.bytes);
  const std::uint64_t begin = header.data_offset + first + static_cast<std::uint64_t>(rows.begin) * row_bytes;
  if (auto read = source.read(begin, bytes); !read) return read;
  const bool swap = is_swapped(header.dtype);
  with_stored_type(header.dtype, [&]<class Stored>() {
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(row_bytes))
      append_row<Stored>(bytes.data() + at, static_cast<std::size_t>(width), swap, out);
  });
  return {};
}

}  // namespace vqscope
