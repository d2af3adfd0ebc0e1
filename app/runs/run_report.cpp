// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_report.h"

#include "core/base/machine.h"
#include "core/method/value_json.h"
#include "core/method/verdict/verdict.h"

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

/// The name a.b stands for the member b of the object a.
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

JsonObject filesOf(const RunFiles& files) {
  JsonObject object;
  for (const auto& [name, file] : files)
    object[name] = file.bytes ? JsonObject{{"file", file.path}, {"bytes", static_cast<Index>(file.bytes->size())}}
                              : JsonObject{{"folder", file.path}};
  return object;
}

void addShapes(const RunResult& result, JsonObject& object) {
  for (const auto& [suffix, content] : result.contents) {
    if (const auto* tensor = std::get_if<Tensor>(&content)) object["shape"] = tensor->shape;
    const auto* tensors = std::get_if<std::vector<NamedTensor>>(&content);
    if (!tensors || object.contains("tensors")) continue;
    JsonObject shapes;
    for (const auto& tensor : *tensors) shapes[tensor.name] = tensor.shape;
    object["tensors"] = std::move(shapes);
  }
}

}  // namespace

std::string reportAsJson(const Method& method, const ParameterValues& values, const StoredTensors& tensors,
                         const RunFiles& files, const RunResult& result) {
  JsonObject arrays, seconds;
  for (const auto& [name, tensor] : tensors) arrays[name] = tensorOf(tensor);
  for (const auto& [step, taken] : result.seconds) seconds[step] = taken;
  JsonObject object{{"experiment", method.id},
                    {"parameters", json_of(values)},
                    {"arrays", arrays},
                    {"machine", machineOf(result.threads)},
                    {"seconds", seconds}};
  if (!files.empty()) object["files"] = filesOf(files);
  addShapes(result, object);
  addFacts(result.facts, object);
  const std::string verdict = result.curves ? verdict_of(method, *result.curves) : std::string();
  if (!verdict.empty()) object["verdict"] = verdict;
  return indented_json(object);
}

}  // namespace vqscope
