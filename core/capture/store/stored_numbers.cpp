// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/stored_numbers.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/capture/store/entry/stored_entry.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/npy/stored_number.h"
#include "core/io/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// IEEE-like with a mantissa of `fraction` bits; E4M3 has no infinities.
float float8_value(std::uint8_t bits, int fraction, int bias, bool has_infinity) {
  const int exponent = bits >> fraction & ((1 << (7 - fraction)) - 1), mantissa = bits & ((1 << fraction) - 1);
  const float sign = bits & 0x80 ? -1.0F : 1.0F;
  if (has_infinity && exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (!has_infinity && (bits & 0x7f) == 0x7f) return NAN;
  const auto significand = static_cast<float>(exponent == 0 ? mantissa : mantissa + (1 << fraction));
  return sign * std::ldexp(significand, std::max(exponent, 1) - bias - fraction);
}

template <class Stored>
void convert_stored(std::span<const char> bytes, bool swap, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(to_double(stored_number<Stored>(&bytes[i * sizeof(Stored)], swap)));
}

/// bfloat16 and float32 of this machine's byte order, which most captures are.
void convert_brain(std::span<const char> bytes, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &bytes[i * 2], 2);
    out[i] = std::bit_cast<float>(std::uint32_t{bits} << 16);
  }
}

}  // namespace

Result<StoredNumbers> StoredNumbers::open(const CapturedTensor& tensor) {
  const auto bytes = open_file(tensor.file);
  if (!bytes) return bytes.error();
  StoredNumbers numbers;
  numbers.m_file = tensor.file;
  const auto entry = stored_entry(tensor.file, tensor.name, **bytes);
  const bool is_e4m3 = entry && entry->dtype.starts_with("F8_E4M3"),
             is_e5m2 = entry && entry->dtype.starts_with("F8_E5M2");
  if (is_e4m3 || is_e5m2 || (entry && entry->known)) {
    numbers.m_header = {.dtype = entry->known.value_or(NpyDtype{NpyKind::unsigned_integer, 1}),
                        .shape = entry->shape,
                        .data_offset = entry->offset};
    if (!entry->known) numbers.m_float8 = is_e4m3 ? Float8::e4m3 : Float8::e5m2;
    numbers.m_bytes = *bytes;
  } else {
    const auto found = find_tensor(*bytes, {tensor.file, tensor.name, {}}, TensorUse::cells);
    if (!found) return found.error();
    numbers.m_bytes = found->bytes;
    numbers.m_header = found->header;
  }
  std::vector<Index> stored = tensor.shape;
  if (tensor.stored_columns > 0) stored.back() = tensor.stored_columns;
  if (numbers.m_header.shape != stored)
    return invalid("{}: {} has another shape than a moment ago", shown_path(tensor.file), shortened(tensor.name));
  numbers.m_strides = strides_of(numbers.m_header);
  if (tensor.stored_columns > 0) {
    if (numbers.m_header.fortran)
      return invalid("{}: {} must be stored by rows to be split into q, k and v", shown_path(tensor.file),
                     shortened(tensor.name));
    numbers.m_first = static_cast<std::uint64_t>(tensor.first_column);
    numbers.m_columns = static_cast<std::uint64_t>(tensor.shape.back());
  }
  return numbers;
}

Result<void> StoredNumbers::read_bytes(std::uint64_t offset, std::span<char> out) const {
  auto read = m_bytes->read(offset, out);
  return read ? read : within(shown_path(m_file), read.error());
}

double StoredNumbers::unit() const {
  if (m_float8 != Float8::none) return m_float8 == Float8::e4m3 ? 0x1p-4 : 0x1p-3;
  if (!m_header.dtype.is_real()) return 0;
  if (m_header.dtype.kind == NpyKind::brain) return 0x1p-8;
  return m_header.dtype.bytes == 2 ? 0x1p-11 : 0x1p-24;
}

Result<void> StoredNumbers::read_in_order(std::uint64_t first, std::span<float> out) const {
  if (m_columns == 0) return read(first, out);
  const auto wide = static_cast<std::uint64_t>(m_header.shape.back());
  while (!out.empty()) {
    const std::uint64_t column = first % m_columns;
    const auto count = std::min<std::uint64_t>(out.size(), m_columns - column);
    if (auto done = read(first / m_columns * wide + column, out.first(count)); !done) return done;
    out = out.subspan(count);
    first += count;
  }
  return {};
}

Result<void> StoredNumbers::read(std::uint64_t first, std::span<float> out) const {
  first += m_first;
  const auto size = static_cast<std::uint64_t>(m_header.dtype.bytes);
  const bool swap = is_swapped(m_header.dtype);
  if (m_header.dtype.kind == NpyKind::real && size == 4 && !swap)
    return read_bytes(m_header.data_offset + first * 4, std::span(reinterpret_cast<char*>(out.data()), out.size() * 4));
  thread_local std::vector<char> bytes;
  bytes.resize(out.size() * size);
  if (auto read = read_bytes(m_header.data_offset + first * size, bytes); !read) return read;
  if (m_float8 != Float8::none) {
    const bool wide = m_float8 == Float8::e5m2;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = float8_value(static_cast<std::uint8_t>(bytes[i]), wide ? 2 : 3, wide ? 15 : 7, wide);
  } else if (m_header.dtype.kind == NpyKind::brain && !swap) {
    convert_brain(bytes, out);
  } else {
    with_stored_type(m_header.dtype, [&]<class Stored>() { convert_stored<Stored>(bytes, swap, out); });
  }
  return {};
}

}  // namespace vqscope
