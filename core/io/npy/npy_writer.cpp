// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_writer.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <bit>

namespace vqscope {
namespace {

// float32 numbers are written as they are in memory.
static_assert(std::endian::native == std::endian::little);

constexpr std::size_t alignment = 64;
constexpr std::size_t values_at_once = std::size_t{1} << 22;

}  // namespace

std::string npy_header(std::string_view dtype, std::span<const Index> shape) {
  std::string sizes;
  for (const Index size : shape) sizes += (sizes.empty() ? "" : ", ") + to_text(size);
  if (shape.size() == 1) sizes += ',';
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", dtype, sizes);
  constexpr std::size_t prefix = 10;  // magic, version, length
  const std::size_t used = prefix + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ');
  dictionary += '\n';
  const std::size_t length = dictionary.size();
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(length & 0xff);
  header += static_cast<char>(length >> 8);
  return header + dictionary;
}

Result<void> write_npy(std::span<const Index> shape, std::span<const float> values, ByteSink& sink, const Work& work) {
  if (auto written = sink.write(npy_header("<f4", shape)); !written) return written;
  for (std::size_t done = 0; done < values.size(); done += values_at_once) {
    if (work.stop.stop_requested()) return cancelled();
    const auto some = values.subspan(done, std::min(values_at_once, values.size() - done));
    if (auto written = sink.write({reinterpret_cast<const char*>(some.data()), some.size_bytes()}); !written)
      return written;
    work.report(static_cast<double>(done + some.size()) / static_cast<double>(values.size()));
  }
  return {};
}

}  // namespace vqscope
