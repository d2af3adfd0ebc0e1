// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"

#include "core/base/sentence.h"
#include "core/io/json/json_text.h"

#include <array>
#include <bit>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 3> dtypes{"F64", "F32", "I32"};

/// As in memory, which is how the format stores them.
std::string_view bytes_of(const NamedTensor& tensor) {
  static_assert(std::endian::native == std::endian::little);
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
      },
      tensor.values);
}

std::string entry_of(const NamedTensor& tensor, std::uint64_t begin) {
  std::vector<std::string> sizes;
  for (const Index size : tensor.shape) sizes.push_back(to_text(size));
  return fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", json_text(tensor.name),
                     dtypes[tensor.values.index()], join(sizes, ","), begin, begin + bytes_of(tensor).size());
}

}  // namespace

Result<void> write_safetensors(std::span<const NamedTensor> tensors, ByteSink& sink) {
  std::string header = "{";
  std::uint64_t end = 0;
  for (const NamedTensor& tensor : tensors) {
    header += (header.size() == 1 ? "" : ",") + entry_of(tensor, end);
    end += bytes_of(tensor).size();
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string length;
  for (int byte = 0; byte < 8; ++byte) length += static_cast<char>(std::uint64_t{header.size()} >> 8 * byte & 255);
  if (auto written = sink.write(length + header); !written) return written;
  for (const NamedTensor& tensor : tensors)
    if (auto written = sink.write(bytes_of(tensor)); !written) return written;
  return {};
}

}  // namespace vqscope
