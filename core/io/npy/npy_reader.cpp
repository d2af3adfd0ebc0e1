// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_reader.h"

#include "core/base/sentence.h"
#include "core/io/npy/stored_number.h"

#include <cassert>
#include <type_traits>

namespace vqscope {
namespace {

/// Bytes read at a time.
constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

/// Returns false if the value does not fit int64.
template <class T, class Stored>
bool convert(Stored from, T& to) {
  if constexpr (std::is_same_v<Stored, StoredHalf> || std::is_same_v<Stored, StoredBrain>)
    to = static_cast<T>(to_double(from));
  else
    to = static_cast<T>(from);  // NOLINT(bugprone-signed-char-misuse): an int8 is a number, not a letter
  return !(std::is_same_v<T, Index> && std::is_same_v<Stored, std::uint64_t> && to < T{0});
}

/// Converts elements of the file that are `stride` apart to cells that are `out_stride` apart.
/// Returns false if one does not fit, see convert().
template <class Stored, class T>
bool convert_all(const char* from, std::uint64_t stride, std::size_t count, bool swap, T* to, std::size_t out_stride) {
  bool fits = true;
  for (std::size_t i = 0; i < count; ++i, from += stride * sizeof(Stored), to += out_stride)
    fits = convert(stored_number<Stored>(from, swap), *to) && fits;
  return fits;
}

template <class T>
using Convert = bool (*)(const char*, std::uint64_t, std::size_t, bool, T*, std::size_t);

template <class T>
Convert<T> converter_of(const NpyDtype& dtype) {
  return with_stored_type(dtype, []<class Stored>() -> Convert<T> { return convert_all<Stored, T>; });
}

/// Reads elements along one line of the file, in pieces of bounded size.
template <class T>
class LineReader {
 public:
  LineReader(const ByteSource& source, const NpyHeader& header)
      : m_source(source),
        m_header(header),
        m_convert(converter_of<T>(header.dtype)),
        m_swap(is_swapped(header.dtype)) {}

  Result<void> read(std::uint64_t first, std::uint64_t stride, std::size_t count, T* out, std::size_t out_stride) {
    const auto bytes = static_cast<std::uint64_t>(m_header.dtype.bytes);
    const auto most =
        static_cast<std::size_t>(std::max<std::uint64_t>(1, piece_bytes / std::max<std::uint64_t>(1, stride * bytes)));
    while (count > 0) {
      const std::size_t some = std::min(count, most);
      m_bytes.resize(static_cast<std::size_t>(((some - 1) * stride + 1) * bytes));
      if (auto done = m_source.read(m_header.data_offset + first * bytes, m_bytes); !done) return done;
      if (!m_convert(m_bytes.data(), stride, some, m_swap, out, out_stride))
        return invalid("the array holds a {} above 2^63 - 1, which int64 does not hold", m_header.dtype.name());
      first += some * stride;
      out += some * out_stride;
      count -= some;
    }
    return {};
  }

 private:
  const ByteSource& m_source;
  const NpyHeader& m_header;
  Convert<T> m_convert;
  bool m_swap;
  std::vector<char> m_bytes;
};

template <class T>
Result<void> check_type(const NpyHeader& header) {
  if (std::is_same_v<T, Index> && header.dtype.is_real())
    return invalid("the array's dtype is {} but must be bool or a whole-number dtype", header.dtype.name());
  return {};
}

}  // namespace

NpyPlane npy_plane(const NpyHeader& header, std::span<const Index> leading) {
  const auto& shape = header.shape;
  const std::size_t n = shape.size();
  assert(leading.size() == (n > 2 ? n - 2 : 0));
  const auto strides = strides_of(header);
  NpyPlane plane{.rows = 1, .cols = 1, .row_stride = 1, .col_stride = 1};
  for (std::size_t i = 0; i < leading.size(); ++i) {
    assert(leading[i] >= 0 && leading[i] < shape[i]);
    plane.first += static_cast<std::uint64_t>(leading[i]) * strides[i];
  }
  if (n >= 1) {
    plane.cols = shape[n - 1];
    plane.col_stride = strides[n - 1];
  }
  if (n >= 2) {
    plane.rows = shape[n - 2];
    plane.row_stride = strides[n - 2];
  }
  return plane;
}

template <class T>
Result<void> read_npy_rows(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, Range rows,
                           std::span<T> out) {
  assert(rows.begin >= 0 && rows.end <= plane.rows);
  assert(out.size() == static_cast<std::size_t>(rows.size() * plane.cols));
  if (auto checked = check_type<T>(header); !checked) return checked;
  if (out.empty()) return {};
  LineReader<T> reader(source, header);
  const auto height = static_cast<std::size_t>(rows.size());
  const auto width = static_cast<std::size_t>(plane.cols);
  const std::uint64_t first = plane.first + static_cast<std::uint64_t>(rows.begin) * plane.row_stride;
  if (plane.col_stride == 1 && plane.row_stride == width) return reader.read(first, 1, out.size(), out.data(), 1);
  // The axis whose elements are closer together in the file is read as a line.
  const bool by_rows = plane.row_stride == 0 || plane.col_stride <= plane.row_stride;
  for (std::size_t line = 0; line < (by_rows ? height : width); ++line) {
    auto read =
        by_rows ? reader.read(first + line * plane.row_stride, plane.col_stride, width, out.data() + line * width, 1)
                : reader.read(first + line * plane.col_stride, plane.row_stride, height, out.data() + line, width);
    if (!read) return read;
  }
  return {};
}

template <class T>
Result<std::vector<T>> read_npy(const ByteSource& source, const NpyHeader& header, std::uint64_t limit) {
  if (auto checked = check_type<T>(header); !checked) return checked.error();
  const std::uint64_t count = header.count();
  if (count > limit)
    return too_large("the array of shape {} has {} elements, at most {} are read", shortened(header.shape_text()),
                     count, limit);
  std::vector<T> values(static_cast<std::size_t>(count));
  if (count == 0) return values;
  std::vector<Index> leading(header.shape.size() > 2 ? header.shape.size() - 2 : 0);
  for (std::size_t done = 0; done < values.size();) {
    const NpyPlane plane = npy_plane(header, leading);
    const auto cells = static_cast<std::size_t>(plane.rows * plane.cols);
    auto read = read_npy_rows(source, header, plane, {0, plane.rows}, std::span(values).subspan(done, cells));
    if (!read) return read.error();
    done += cells;
    for (std::size_t i = leading.size(); i-- > 0;) {
      if (++leading[i] < header.shape[i]) break;
      leading[i] = 0;
    }
  }
  return values;
}

template Result<void> read_npy_rows(const ByteSource&, const NpyHeader&, const NpyPlane&, Range, std::span<Index>);
template Result<void> read_npy_rows(const ByteSource&, const NpyHeader&, const NpyPlane&, Range, std::span<float>);
template Result<void> read_npy_rows(const ByteSource&, const NpyHeader&, const NpyPlane&, Range, std::span<double>);
template Result<std::vector<Index>> read_npy(const ByteSource&, const NpyHeader&, std::uint64_t);
template Result<std::vector<float>> read_npy(const ByteSource&, const NpyHeader&, std::uint64_t);
template Result<std::vector<double>> read_npy(const ByteSource&, const NpyHeader&, std::uint64_t);

}  // namespace vqscope
