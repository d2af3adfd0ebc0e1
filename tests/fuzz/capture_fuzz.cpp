// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a capture: all that reads one answers, or ends with one line. Text from a brace on is the capture.json
// of two layers; other bytes are roles, dtypes and shapes of tensors, and which inputs and config stand beside them.

#include "core/capture/parity/parity.h"
#include "core/io/tensor/safetensors_header.h"
#include "tests/mutate/capture_refusals.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace vqscope;

namespace {

constexpr std::array<std::pair<const char*, Index>, 6> dtypes{
    {{"F32", 4}, {"BF16", 2}, {"F16", 2}, {"F8_E4M3", 1}, {"BOOL", 1}, {"I64", 8}}};
constexpr Index most_bytes = 1 << 16;

void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

/// Bytes one after the other; 0 where they end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : m_data(data), m_size(size) {}
  int next() { return m_at < m_size ? m_data[m_at++] : 0; }
  bool ended() const { return m_at >= m_size; }
  std::string rest() { return {m_data + m_at, m_data + m_size}; }

 private:
  const std::uint8_t* m_data;
  std::size_t m_size;
  std::size_t m_at = 0;
};

class TensorFile {
 public:
  explicit TensorFile(unsigned seed) : m_random(seed) {}

  void add(std::string_view name, int dtype, const std::vector<Index>& shape) {
    const auto& [dtype_name, size] = dtypes[static_cast<std::size_t>(dtype) % dtypes.size()];
    Index bytes = size;
    for (const Index length : shape) bytes *= length;
    if (bytes > most_bytes || m_names.find(std::string(name) + ";") != std::string::npos) return;
    m_names += std::string(name) + ";";
    m_header.add(name, dtype_name, shape, static_cast<std::uint64_t>(bytes));
    for (Index i = 0; i < bytes; ++i) {
      m_random = m_random * 1664525 + 1013904223;
      // Small whole numbers and floats about 1 are likelier than others.
      const bool high = i % size == size - 1;
      m_data += static_cast<char>(high ? (size < 8 ? 0x3c + (m_random >> 30) : 0) : m_random >> 24);
    }
  }

  void write(const std::filesystem::path& path) const {
    std::ofstream(path, std::ios::binary) << m_header.bytes() << m_data;
  }

 private:
  SafetensorsHeader m_header;
  std::string m_data, m_names;
  unsigned m_random;
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Emptied for each input.
std::filesystem::path folder_of(const char* side) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("vqscope_capture_fuzz_" + std::to_string(getpid())) / side;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// Tensors that go together, so that what capture.json says of them is believed.
void write_layers(const std::filesystem::path& folder, unsigned seed) {
  for (const char* name : {"layer0.safetensors", "layer1.safetensors"}) {
    TensorFile file(seed);
    for (const char* vectors : {"q", "k", "v", "q_rot", "k_rot", "out"}) file.add(vectors, 0, {2, 2, 6, 4});
    file.add("weights", 0, {2, 2, 6, 6});
    file.write(folder / name);
  }
}

void write_shapes(const std::filesystem::path& folder, Bytes bytes, unsigned seed) {
  TensorFile file(seed);
  for (int count = bytes.next() % 12 + 1; count > 0; --count) {
    const auto role = tensor_roles[static_cast<std::size_t>(bytes.next()) % tensor_roles.size()];
    const int dtype = bytes.next();
    std::vector<Index> shape(static_cast<std::size_t>(bytes.next() % 6));
    for (Index& length : shape) length = bytes.next() % 9;
    file.add(name_of(role), dtype, shape);
  }
  file.write(folder / "layer0.safetensors");
  TensorFile inputs(seed);
  for (const char* name : {"input_ids", "attention_mask", "cu_seqlens", "cache_position"}) {
    if (bytes.next() % 2 == 0) continue;
    const Index rows = bytes.next() % 4, columns = bytes.next() % 9;
    inputs.add(name, 5, rows == 0 ? std::vector<Index>{columns} : std::vector<Index>{rows, columns});
  }
  inputs.write(folder / "inputs.safetensors");
  if (!bytes.ended()) write_text(folder / "capture.json", bytes.rest());
}

void check_sentence(const std::string& sentence) {
  if (sentence.empty() || sentence.find('\n') != std::string::npos) fail("an error is not one line: " + sentence);
}

template <class T>
void check(const Result<T>& result) {
  if (!result) check_sentence(result.error().message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  std::vector<Result<Capture>> captures;
  for (const char* side : {"a", "b"}) {
    const auto folder = folder_of(side);
    const unsigned seed = *side == 'a' ? 1 : 2;
    if (data[0] == '{') {
      write_layers(folder, seed);
      write_text(folder / "capture.json", std::string(data, data + size));
    } else {
      write_shapes(folder, Bytes(data, size), seed);
    }
    captures.push_back(Capture::open(folder.string()));
    check(captures.back());
  }
  if (!captures[0] || !captures[1]) return 0;
  const Capture &a = *captures[0], &b = *captures[1];
  for (const std::string& sentence : mutate::capture_refusals(a)) check_sentence(sentence);
  check(parity_of(a, b, {}));
  const auto same = parity_of(a, a, {});
  if (same && same->comparison.verdict != ParityVerdict::equal) fail("a capture differs from itself");
  return 0;
}
