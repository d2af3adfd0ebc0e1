// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_report.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <thread>

namespace vqscope {

Result<ConfigValue> read_config_file(const RunFile& file) {
  const auto named = [&](const Error& error) { return within(file.path, error); };
  if (file.bytes->size() > most_json_bytes)
    return named(too_large("the file has {}, a config must have at most {}",
                           byte_count(static_cast<double>(file.bytes->size())),
                           byte_count(static_cast<double>(most_json_bytes))));
  std::string text(static_cast<std::size_t>(file.bytes->size()), '\0');
  if (auto read = file.bytes->read(0, text); !read) return named(read.error());
  auto json = read_json(text);
  if (!json) return named(json.error());
  return json;
}

Result<NamedTensors> open_tensors(const RunFile& file) { return NamedTensors::open(file.bytes, file.path); }

ParameterSpec precision_parameter(const std::string& default_value) {
  return make_parameter(
      "precision", "Machine", "Number type of all arithmetic.",
      {.default_value = default_value, .choices = {{"float64", "double precision"}, {"float32", "single precision"}}});
}

int worker_threads(const ParameterValues& values) {
  const Index given = values.integer("threads");
  return given > 0 ? static_cast<int>(given) : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

namespace {

/// Empty if the file has no such tensor.
Result<std::vector<std::int32_t>> read_numbers(const NamedTensors& file, const std::string& name,
                                               const std::vector<Index>& shape) {
  const SafetensorsEntry* entry = file.find(name);
  if (!entry) return std::vector<std::int32_t>();
  if (entry->shape != shape)
    return invalid("tensor {} has the shape {} but must have {}", name, shortened(shape_text(entry->shape)),
                   shape_text(shape));
  return file.integers(*entry);
}

}  // namespace

namespace {

Result<BatchFile> read_named(const NamedTensors& file, const std::string& suffix) {
  const SafetensorsEntry* tokens = file.find("in.tokens" + suffix);
  if (!tokens) return invalid("tensor in.tokens{} is missing", suffix);
  if (tokens->shape.size() != 2)
    return invalid("tensor in.tokens{} has the shape {} but must have [rows, length]", suffix,
                   shortened(shape_text(tokens->shape)));
  BatchFile batch{.rows = tokens->shape[0], .length = tokens->shape[1]};
  const std::pair<std::string, std::vector<std::int32_t>*> all[]{{"in.tokens" + suffix, &batch.tokens},
                                                                 {"in.labels" + suffix, &batch.labels},
                                                                 {"in.position_ids", &batch.position_ids},
                                                                 {"in.doc_ids", &batch.doc_ids},
                                                                 {"in.pad_mask", &batch.pad_mask}};
  for (const auto& [name, numbers] : all) {
    auto read = read_numbers(file, name, tokens->shape);
    if (!read) return read.error();
    *numbers = std::move(*read);
  }
  return batch;
}

}  // namespace

Result<BatchFile> read_batch(const NamedTensors& file, const std::string& suffix) {
  auto batch = read_named(file, suffix);
  return batch ? std::move(batch) : file.named(batch.error());
}

}  // namespace vqscope
