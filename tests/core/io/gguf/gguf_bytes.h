// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF files in memory.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace vqscope::test {

/// `bytes` bytes of a number, lowest first.
inline std::string little(std::uint64_t number, std::size_t bytes) {
  std::string all;
  for (std::size_t i = 0; i < bytes; ++i) all += static_cast<char>(number >> (8 * i) & 0xff);
  return all;
}

inline std::string gguf_text(const std::string& text) { return little(text.size(), 8) + text; }

/// A file of version 3, made value by value and tensor by tensor.
class GgufBytes {
 public:
  GgufBytes& value(const std::string& key, std::uint32_t type, const std::string& bytes) {
    m_pairs += gguf_text(key) + little(type, 4) + bytes;
    ++m_count;
    return *this;
  }
  GgufBytes& text(const std::string& key, const std::string& words) { return value(key, 8, gguf_text(words)); }
  GgufBytes& integer(const std::string& key, std::uint32_t number) { return value(key, 4, little(number, 4)); }
  GgufBytes& real(const std::string& key, float number) {
    return value(key, 6, little(std::bit_cast<std::uint32_t>(number), 4));
  }
  GgufBytes& boolean(const std::string& key, bool is) { return value(key, 7, little(is ? 1 : 0, 1)); }
  GgufBytes& integers(const std::string& key, const std::vector<std::uint32_t>& numbers) {
    std::string bytes = little(4, 4) + little(numbers.size(), 8);
    for (const auto number : numbers) bytes += little(number, 4);
    return value(key, 9, bytes);
  }
  GgufBytes& texts(const std::string& key, const std::vector<std::string>& all) {
    std::string bytes = little(8, 4) + little(all.size(), 8);
    for (const auto& each : all) bytes += gguf_text(each);
    return value(key, 9, bytes);
  }
  /// A tensor of F32.
  GgufBytes& tensor(const std::string& name, const std::vector<float>& numbers) {
    m_tensors += gguf_text(name) + little(1, 4) + little(numbers.size(), 8) + little(0, 4) + little(m_data.size(), 8);
    for (const float number : numbers) m_data += little(std::bit_cast<std::uint32_t>(number), 4);
    m_data.resize((m_data.size() + 31) / 32 * 32);
    ++m_tensor_count;
    return *this;
  }
  /// A tensor without its data, of which only the head is read; rows first.
  GgufBytes& shape(const std::string& name, const std::vector<std::uint64_t>& extents) {
    m_tensors += gguf_text(name) + little(extents.size(), 4);
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) m_tensors += little(*extent, 8);
    m_tensors += little(0, 4) + little(0, 8);
    ++m_tensor_count;
    return *this;
  }
  std::string bytes() const {
    std::string all = "GGUF" + little(3, 4) + little(m_tensor_count, 8) + little(m_count, 8) + m_pairs + m_tensors;
    all.resize((all.size() + 31) / 32 * 32);
    return all + m_data;
  }

 private:
  std::string m_pairs, m_tensors, m_data;
  std::uint64_t m_count = 0, m_tensor_count = 0;
};

}  // namespace vqscope::test
