// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/run_report.h"

#include "core/base/machine.h"
#include "core/export/values_json.h"

namespace vqscope {
namespace {

JsonObject tensorOf(const StoredTensor& tensor) {
  JsonObject object{{"file", tensor.name.file}, {"dtype", tensor.header.dtype.name()}, {"shape", tensor.shape}};
  if (!tensor.name.name.empty()) object["name"] = tensor.name.name;
  if (!tensor.name.leading.empty()) object["leading"] = tensor.name.leading;
  return object;
}

JsonObject machineOf(int threads) {
  const Machine machine = this_machine();
  return {{"processor", machine.processor},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory},
          {"threads", threads}};
}

/// A name a.b is b of the object a.
void addFacts(const ParameterValues& facts, JsonObject& object) {
  std::map<std::string, JsonObject> inner;
  for (auto& [name, value] : json_of(facts)) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos)
      object[name] = value;
    else
      inner[name.substr(0, dot)][name.substr(dot + 1)] = value;
  }
  for (auto& [name, members] : inner) object[name] = std::move(members);
}

}  // namespace

std::string reportAsJson(const Method& method, const ParameterValues& values, const StoredTensors& tensors,
                         const RunResult& result) {
  JsonObject arrays, seconds;
  for (const auto& [name, tensor] : tensors) arrays[name] = tensorOf(tensor);
  for (const auto& [step, taken] : result.seconds) seconds[step] = taken;
  JsonObject object{{"experiment", method.id},      {"parameters", json_of(values)},        {"arrays", arrays},
                    {"shape", result.output.shape}, {"machine", machineOf(result.threads)}, {"seconds", seconds}};
  addFacts(result.facts, object);
  return indented_json(object);
}

}  // namespace vqscope
