// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_files.h"

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

}  // namespace vqscope
