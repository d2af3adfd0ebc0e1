// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_tensors.h"

#include "core/base/text.h"
#include "core/io/bytes/file_source.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<const RunInput*> inputOf(const RunArguments& run, const std::string& name) {
  const auto found = std::ranges::find(run.recipe.inputs, name, &RunInput::name);
  if (found != run.recipe.inputs.end() && found->file)
    return invalid(name + " of " + run.method.id + " is a whole file: use --set " + name + "=FILE");
  if (found != run.recipe.inputs.end()) return &*found;
  std::vector<std::string> known;
  for (const auto& input : run.recipe.inputs)
    if (!input.file) known.push_back(input.name);
  if (known.empty()) return invalid("unknown array " + shortened(name) + ": " + run.method.id + " has no arrays");
  return invalid("unknown array " + shortened(name) + " of " + run.method.id + ", must be one of " + join(known, ", ") +
                 did_you_mean(name, known));
}

Result<void> checkMemory(const StoredTensors& tensors, double memory) {
  double needed = 0;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    needed += floatBytes(tensor.shape);
    names.push_back(name);
  }
  if (memory <= 0 || needed <= memory) return {};
  return Error{Errc::too_large, "the arrays " + join(names, ", ") + " need " + byte_count(needed) +
                                    " of memory as float32, the limit is " + byte_count(memory) +
                                    "; most_memory raises it up to the memory of the machine"};
}

}  // namespace

Result<StoredTensors> findTensors(const RunArguments& run, double memory) {
  for (const auto& array : run.arrays)
    if (auto input = inputOf(run, array.name); !input) return input.error();
  StoredTensors found;
  for (const auto& array : run.arrays) {
    const auto name = parse_tensor_name(array.value);
    if (!name) return invalid("--array " + array.name + ": " + name.error().message);
    auto file = open_file(name->file);
    if (!file) return file.error();
    const bool flags = inputOf(run, array.name).value()->flags;
    auto tensor = find_tensor(std::move(*file), *name, flags ? TensorUse::flags : TensorUse::numbers);
    if (!tensor) return tensor.error();
    found.emplace(array.name, std::move(*tensor));
  }
  for (const auto& input : run.recipe.inputs)
    if (input.required && !input.file && !found.contains(input.name))
      return invalid("array " + input.name + " is missing, " + run.method.id + " needs --array " + input.name +
                     "=FILE");
  if (auto fits = checkMemory(found, memory); !fits) return fits.error();
  return found;
}

Result<RunFiles> findFiles(const RunArguments& run) {
  RunFiles found;
  for (const auto& given : run.files) {
    auto file = open_file(given.value);
    if (!file) return file.error();
    found.insert_or_assign(given.name, RunFile{given.value, std::move(*file)});
  }
  for (const auto& input : run.recipe.inputs)
    if (input.required && input.file && !found.contains(input.name))
      return invalid(input.name + " is missing, " + run.method.id + " needs --set " + input.name + "=FILE");
  return found;
}

void takeImplied(const RunArguments& run, const StoredTensors& tensors, ParameterValues& values) {
  if (!run.recipe.implied) return;
  RunShapes shapes;
  for (const auto& [name, tensor] : tensors) shapes.emplace(name, tensor.shape);
  const ParameterValues implied = run.recipe.implied(shapes);
  for (const auto& [name, value] : implied.map())
    if (std::ranges::count(run.settings, name, &Setting::name) == 0) values.set(name, value);
}

Result<RunInputs> readTensors(const StoredTensors& stored, const Work& work) {
  RunInputs inputs;
  for (const auto& [name, tensor] : stored) {
    auto values = read_tensor(tensor, work.stop);
    if (!values) return values.error();
    inputs.emplace(name, Tensor{tensor.shape, std::move(*values)});
    work.report(static_cast<double>(inputs.size()) / static_cast<double>(stored.size()));
  }
  return inputs;
}

double floatBytes(const std::vector<Index>& shape) {
  double bytes = sizeof(float);
  for (const Index size : shape) bytes *= static_cast<double>(size);
  return bytes;
}

Error withFiles(const Error& error, const RunArguments& run) {
  std::string files;
  const std::string sentence = " " + error.message;
  for (const auto& array : run.arrays)
    if (sentence.find(" " + array.name + " is ") != std::string::npos ||
        sentence.find(" " + array.name + " has ") != std::string::npos)
      files += (files.empty() ? "" : ", ") + array.name + ": " + array.value;
  return files.empty() ? error : Error{error.code, error.message + " (" + files + ")"};
}

}  // namespace vqscope
