// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/io/gguf/gguf.h"

#include <bit>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

double from_half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31U);
  const double fraction = static_cast<double>(bits & 1023U) / 1024;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

}  // namespace

Result<std::vector<double>> read_gguf_numbers(const ByteSource& source, const GgufTensor& tensor, std::size_t most) {
  constexpr std::uint32_t f32 = 0, f16 = 1, bf16 = 30;
  const std::string name = shortened(tensor.name);
  if (tensor.type != f32 && tensor.type != f16 && tensor.type != bf16)
    return invalid("tensor {} is of ggml type {}, must be 0 (F32), 1 (F16) or 30 (BF16)", name, tensor.type);
  std::uint64_t count = 1;
  for (const std::uint64_t size : tensor.shape) {
    if (size > most) return too_large("tensor {} has more than {} numbers", name, most);
    count *= size;
    if (count > most) return too_large("tensor {} has {} numbers, at most {} are read", name, count, most);
  }
  const std::size_t width = tensor.type == f32 ? 4 : 2;
  const std::uint64_t bytes = count * width;
  if (tensor.offset > source.size() || bytes > source.size() - tensor.offset)
    return invalid("tensor {} ends at byte {}, the file has {}", name, tensor.offset + bytes, source.size());
  std::string raw(static_cast<std::size_t>(bytes), '\0');
  if (auto read = source.read(tensor.offset, raw); !read) return read.error();
  std::vector<double> numbers;
  for (std::size_t at = 0; at < raw.size(); at += width) {
    std::uint32_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(raw[at + i]);
    numbers.push_back(tensor.type == f16 ? from_half(bits)
                                         : std::bit_cast<float>(tensor.type == bf16 ? bits << 16 : bits));
  }
  return numbers;
}

}  // namespace vqscope
