// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"
#include "core/capture/store/name_map.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/mutate/capture_refusals.h"
#include "tests/mutate/reader.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace vqscope::mutate {
namespace {

namespace fs = std::filesystem;

/// A folder in that of the process, for one input.
class CaptureFolder {
 public:
  CaptureFolder() : m_path("capture-" + std::to_string(getpid())) { fs::create_directories(m_path); }
  ~CaptureFolder() {
    std::error_code failed;
    fs::remove_all(m_path, failed);
  }

  void write(const char* name, const Bytes& bytes) const { std::ofstream(m_path / name, std::ios::binary) << bytes; }
  std::string path() const { return m_path.string(); }

 private:
  fs::path m_path;
};

/// One layer of two heads, whose keys are rotated by a quarter of a turn.
Bytes layer() {
  const std::vector<Index> shape{1, 2, 6, 4};
  std::vector<double> before, after;
  for (int i = 0; i < 48; ++i) before.push_back((i * 7 % 11 - 5) / 4.0);
  for (std::size_t i = 0; i < before.size(); i += 4)
    for (const std::size_t k : {2U, 3U, 0U, 1U}) after.push_back(k < 2 ? before[i + k] : -before[i + k]);
  StringSink sink;
  const std::vector<NamedTensor> tensors{{"q", shape, before},    {"k", shape, before},    {"v", shape, before},
                                         {"q_rot", shape, after}, {"k_rot", shape, after}, {"out", shape, before}};
  const auto written = write_safetensors(tensors, sink);
  return written ? sink.text() : Bytes();
}

/// What all that reads captures says of the folder.
Sentences read_folder(const CaptureFolder& folder) {
  const auto capture = Capture::open(folder.path());
  if (!capture) return {capture.error().message};
  Sentences all = capture->remarks;
  for (std::string& sentence : capture_refusals(*capture)) all.push_back(std::move(sentence));
  if (const auto parity = parity_of(*capture, *capture, {}); !parity) all.push_back(parity.error().message);
  return all;
}

Reader reader_of(const char* name, const char* mutated, std::vector<Bytes> inputs, std::vector<Bytes> words,
                 std::function<void(Bytes&)> mend = {}) {
  return {name,
          {std::move(inputs), std::move(words)},
          [mutated](const Bytes& bytes) {
            const CaptureFolder folder;
            folder.write("layer0.safetensors", layer());
            folder.write(mutated, bytes);
            return read_folder(folder);
          },
          std::move(mend)};
}

}  // namespace

std::vector<Reader> capture_readers() {
  return {
      reader_of("capture", "capture.json",
                {R"({"format": 1, "engine": "e", "version": "1", "step": 0, "batch": 1, "past": 2, "tokens": ["a", "b"],
                         "notes": "", "config": {"num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 4,
                         "rope_theta": 10000.0, "sliding_window": 4}})",
                 R"({"format": 1, "config": "layer0.safetensors"})"},
                {"null", "\"format\":2", "\"past\":", "1e300", "[]", "{}", "\"../x\"", "-1"}),
      reader_of(
          "capture_layer", "layer0.safetensors", {layer()},
          {"\"dtype\":\"F64\"", "\"shape\":[", "[1,2,6,4]", "\"mask\"", "\"weights\"", "\"position_ids\"", "BF16"},
          mend_safetensors),
      reader_of("capture_map", name_map_file,
                {R"({"q": "k", "layers.{layer}.q": "q", "out": {"tensor": "weights", "layer": 0}})"},
                {"{layer}", "\"tensor\":", "\"layer\":", "99999999999", "\"mask\"", "null"})};
}

}  // namespace vqscope::mutate
