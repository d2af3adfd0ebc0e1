// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace vqscope {

/// IEEE binary16 as stored in the file; likewise bfloat16.
struct StoredHalf {
  std::uint16_t bits;
};
struct StoredBrain {
  std::uint16_t bits;
};

/// The bits of an element.
template <class Stored>
using BitsOf =
    std::conditional_t<sizeof(Stored) == 1, std::uint8_t,
                       std::conditional_t<sizeof(Stored) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t>>>;

inline double to_double(StoredHalf half) {
  const std::uint32_t magnitude = std::uint32_t{half.bits} << 13 & 0x0fffffff;
  const std::uint32_t sign = std::uint32_t{half.bits} << 16 & 0x80000000;
  const bool is_finite = (half.bits & 0x7c00) != 0x7c00;
  // As a float the exponent is too small by the difference of the two biases.
  const float number =
      is_finite ? std::bit_cast<float>(magnitude) * 0x1p112F : std::bit_cast<float>(magnitude | 0x7f800000);
  return static_cast<double>(std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) | sign));
}

inline double to_double(StoredBrain brain) {
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{brain.bits} << 16));
}

template <class Number>
double to_double(Number number) {
  return static_cast<double>(number);  // NOLINT(bugprone-signed-char-misuse): an int8 is a number, not a letter
}

template <class T>
T stored_number(const char* at, bool swap) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

inline bool is_swapped(const NpyDtype& dtype) {
  return dtype.bytes > 1 && dtype.big_endian == (std::endian::native == std::endian::little);
}

/// Calls call.operator()<Stored>() with the type of an element.
template <class Call>
auto with_stored_type(const NpyDtype& dtype, const Call& call) {
  const bool is_signed = dtype.kind == NpyKind::signed_integer;
  if (dtype.kind == NpyKind::brain) return call.template operator()<StoredBrain>();
  switch (dtype.kind == NpyKind::real ? dtype.bytes + 100 : dtype.bytes) {
    case 1: return is_signed ? call.template operator()<std::int8_t>() : call.template operator()<std::uint8_t>();
    case 2: return is_signed ? call.template operator()<std::int16_t>() : call.template operator()<std::uint16_t>();
    case 4: return is_signed ? call.template operator()<std::int32_t>() : call.template operator()<std::uint32_t>();
    case 8: return is_signed ? call.template operator()<std::int64_t>() : call.template operator()<std::uint64_t>();
    case 102: return call.template operator()<StoredHalf>();
    case 104: return call.template operator()<float>();
    default: return call.template operator()<double>();
  }
}

}  // namespace vqscope
