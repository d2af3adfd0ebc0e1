// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_header.h"

#include "core/base/sentence.h"
#include "core/io/json/json_text.h"

#include <vector>

namespace vqscope {

void SafetensorsHeader::add(std::string_view name, std::string_view dtype, std::span<const Index> shape,
                            std::uint64_t bytes) {
  std::vector<std::string> sizes;
  for (const Index size : shape) sizes.push_back(to_text(size));
  m_entries +=
      fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", m_entries.empty() ? "" : ",",
                  json_text(name), dtype, join(sizes, ","), m_end, m_end + bytes);
  m_end += bytes;
}

std::string SafetensorsHeader::bytes() const {
  std::string header = "{" + m_entries + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string length;
  for (int byte = 0; byte < 8; ++byte) length += static_cast<char>(std::uint64_t{header.size()} >> 8 * byte & 255);
  return length + header;
}

}  // namespace vqscope
