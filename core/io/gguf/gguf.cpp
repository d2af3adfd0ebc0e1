// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gguf/gguf.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr std::uint64_t most_pairs = 1 << 16;
constexpr std::uint64_t most_tensors = 1 << 17;
constexpr std::uint64_t longest_key = 65535;     // by the format
constexpr std::uint64_t longest_text = 1 << 12;  // of a value; templates of chats are longer and not kept
constexpr std::uint64_t most_numbers = 1 << 13;  // a value for each layer
constexpr std::uint64_t most_strings = 1 << 23;  // in all arrays; the largest vocabularies have a million
constexpr std::uint64_t most_gguf_dimensions = 4;

enum class GgufType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

/// Bytes of a value; 0: not of a fixed size.
std::size_t bytes_of(GgufType type) {
  static constexpr std::array<std::size_t, 13> sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto number = static_cast<std::size_t>(type);
  return number < sizes.size() ? sizes[number] : 0;
}

class HeadReader {
 public:
  explicit HeadReader(const ByteSource& source) : m_reader(source) {}

  Result<GgufHead> read();

 private:
  bool failed() const { return m_reader.failed(); }
  /// Lengths and counts have four bytes in version 1.
  std::uint64_t size() { return m_reader.number(m_head.version == 1 ? 4 : 8); }
  std::string key(std::string_view what);
  GgufType type_of_value(std::string_view key);
  void read_version();
  void read_pair();
  void read_text(GgufPair& pair);
  void read_array(GgufPair& pair);
  double real(GgufType type);
  void read_number(GgufPair& pair, GgufType type);
  void read_tensor();
  void place_tensors();

  ByteReader m_reader;
  GgufHead m_head;
  std::uint64_t m_strings = 0;
};

std::string HeadReader::key(std::string_view what) {
  const std::uint64_t place = m_reader.place(), length = size();
  if (length <= longest_key) return m_reader.text(length);
  m_reader.fail(
      invalid("the name of a {} at byte {} has {} bytes but must have at most {}", what, place, length, longest_key));
  return {};
}

GgufType HeadReader::type_of_value(std::string_view key) {
  const auto number = static_cast<std::uint32_t>(m_reader.number(4));
  if (!failed() && number > static_cast<std::uint32_t>(GgufType::f64))
    m_reader.fail(invalid("{} has a value of type {} but must be from 0 to 12", shortened(key), number));
  return static_cast<GgufType>(number);
}

void HeadReader::read_version() {
  m_reader.skip(4);
  m_head.version = static_cast<std::uint32_t>(m_reader.number(4));
  if (failed() || (m_head.version >= 1 && m_head.version <= 3)) return;
  const bool swapped = (m_head.version & 0xffffU) == 0;
  m_reader.fail(swapped ? invalid("the GGUF file has its bytes in big-endian order but must be little-endian")
                        : invalid("the GGUF file is of version {} but must be 1 to 3", m_head.version));
}

double HeadReader::real(GgufType type) {
  const std::uint64_t bits = m_reader.number(bytes_of(type));
  const auto low = static_cast<std::uint32_t>(bits);
  switch (type) {
    case GgufType::i8: return static_cast<std::int8_t>(bits);
    case GgufType::i16: return static_cast<std::int16_t>(bits);
    case GgufType::i32: return static_cast<std::int32_t>(low);
    case GgufType::i64: return static_cast<double>(static_cast<std::int64_t>(bits));
    case GgufType::f32: return std::bit_cast<float>(low);
    case GgufType::f64: return std::bit_cast<double>(bits);
    default: return static_cast<double>(bits);
  }
}

void HeadReader::read_number(GgufPair& pair, GgufType type) {
  if (type == GgufType::boolean) {
    pair.value = m_reader.number(1) != 0;
  } else if (type == GgufType::u64 || type == GgufType::i64) {
    const std::uint64_t bits = m_reader.number(8);
    const bool fits = type == GgufType::i64 || bits <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    if (fits)
      pair.value = static_cast<Index>(bits);
    else
      pair.value = static_cast<double>(bits);
  } else if (const double number = real(type); type == GgufType::f32 || type == GgufType::f64) {
    pair.value = number;
  } else {
    pair.value = static_cast<Index>(number);
  }
}

void HeadReader::read_text(GgufPair& pair) {
  const std::uint64_t length = size();
  if (length <= longest_text) {
    pair.value = m_reader.text(length);
  } else {
    pair.value = std::string();
    m_reader.skip(length);
  }
}

void HeadReader::read_array(GgufPair& pair) {
  const GgufType type = type_of_value(pair.key);
  const std::uint64_t count = size(), bytes = bytes_of(type);
  if (failed()) return;
  if (type == GgufType::array)
    return m_reader.fail(invalid("{} is an array of arrays but must not be nested", shortened(pair.key)));
  pair.value = GgufLongArray{count};
  if (type == GgufType::string) {
    if (count > most_strings - m_strings)
      return m_reader.fail(
          too_large("{} brings the strings of arrays to more than {}", shortened(pair.key), most_strings));
    m_strings += count;
    for (std::uint64_t i = 0; i < count && !failed(); ++i) m_reader.skip(size());
  } else if (count > m_reader.left() / bytes) {
    m_reader.fail(invalid("the file is cut short: {} has {} items of {} bytes, the file has {} bytes left",
                          shortened(pair.key), count, bytes, m_reader.left()));
  } else if (count > most_numbers) {
    m_reader.skip(count * bytes);
  } else {
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(real(type));
    pair.value = std::move(numbers);
  }
}

void HeadReader::read_pair() {
  GgufPair pair{key("value"), {}};
  const GgufType type = type_of_value(pair.key);
  if (failed()) return;
  if (type == GgufType::string)
    read_text(pair);
  else if (type == GgufType::array)
    read_array(pair);
  else
    read_number(pair, type);
  m_head.pairs.push_back(std::move(pair));
}

void HeadReader::read_tensor() {
  GgufTensor tensor{.name = key("tensor"), .shape = {}};
  const std::uint64_t dimensions = m_reader.number(4);
  if (failed()) return;
  if (dimensions > most_gguf_dimensions)
    return m_reader.fail(invalid("tensor {} has {} dimensions but must have at most {}", shortened(tensor.name),
                                 dimensions, most_gguf_dimensions));
  for (std::uint64_t i = 0; i < dimensions; ++i) tensor.shape.push_back(size());
  tensor.type = static_cast<std::uint32_t>(m_reader.number(4));
  tensor.offset = m_reader.number(8);
  m_head.tensors.push_back(std::move(tensor));
}

/// Offsets count from the end of the head, rounded up to the alignment.
void HeadReader::place_tensors() {
  const auto* given = m_head.find("general.alignment");
  const auto* number = given ? std::get_if<Index>(&given->value) : nullptr;
  const std::uint64_t alignment = number ? static_cast<std::uint64_t>(*number) : 32;
  if (!std::has_single_bit(alignment) || alignment > (1U << 30))
    return m_reader.fail(invalid("general.alignment must be a power of two from 1 to 2^30"));
  const std::uint64_t data = (m_reader.place() + alignment - 1) & ~(alignment - 1);
  for (auto& tensor : m_head.tensors) {
    if (tensor.offset > std::numeric_limits<std::uint64_t>::max() - data)
      return m_reader.fail(invalid("tensor {} begins beyond 2^64 bytes", shortened(tensor.name)));
    tensor.offset += data;
  }
}

Result<GgufHead> HeadReader::read() {
  read_version();
  const std::uint64_t tensors = size(), pairs = size();
  if (!failed() && tensors > most_tensors)
    m_reader.fail(too_large("the GGUF file has {} tensors but must have at most {}", tensors, most_tensors));
  if (!failed() && pairs > most_pairs)
    m_reader.fail(too_large("the GGUF file has {} values but must have at most {}", pairs, most_pairs));
  for (std::uint64_t i = 0; i < pairs && !failed(); ++i) read_pair();
  for (std::uint64_t i = 0; i < tensors && !failed(); ++i) read_tensor();
  if (!failed()) place_tensors();
  if (failed()) return m_reader.error();
  return std::move(m_head);
}

double from_half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31U);
  const double fraction = static_cast<double>(bits & 1023U) / 1024;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

}  // namespace

const GgufPair* GgufHead::find(std::string_view key) const {
  const auto it = std::ranges::find(pairs.rbegin(), pairs.rend(), key, &GgufPair::key);
  return it == pairs.rend() ? nullptr : &*it;
}

const GgufTensor* GgufHead::find_tensor(std::string_view name) const {
  const auto it = std::ranges::find(tensors, name, &GgufTensor::name);
  return it == tensors.end() ? nullptr : &*it;
}

bool begins_as_gguf(std::string_view bytes) { return bytes.starts_with("GGUF"); }

Result<GgufHead> read_gguf_head(const ByteSource& source) {
  std::array<char, 4> start{};
  if (source.size() < start.size()) return invalid("not a GGUF file: it has {} bytes", source.size());
  if (auto read = source.read(0, start); !read) return read.error();
  if (!begins_as_gguf({start.data(), start.size()}))
    return invalid("not a GGUF file: its first four bytes are not GGUF");
  return HeadReader(source).read();
}

Result<std::vector<double>> read_gguf_numbers(const ByteSource& source, const GgufTensor& tensor, std::size_t most) {
  constexpr std::uint32_t f32 = 0, f16 = 1, bf16 = 30;
  const std::string name = shortened(tensor.name);
  if (tensor.type != f32 && tensor.type != f16 && tensor.type != bf16)
    return invalid("tensor {} is of ggml type {} but must be 0 (F32), 1 (F16) or 30 (BF16)", name, tensor.type);
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
