// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_inputs.h"

#include "app/cli/arguments/apply_setting.h"
#include "app/cli/arguments/export_arguments.h"
#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"
#include "core/mask/preset/mask_beside.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/qkv/qkv_names.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace vqscope {
namespace {

constexpr const char* maskFile = "mask_file";

bool takesSamples(const RunRecipe& recipe) {
  return std::ranges::any_of(recipe.inputs, [](const RunInput& input) { return input.rank > 0; });
}

Result<void> checkOutputs(const RunArguments& run) {
  std::vector<std::string> known;
  for (const auto& output : run.recipe.outputs) known.push_back(output.suffix);
  for (const auto& path : run.outputs)
    if (!outputOf(run.recipe, path))
      return invalid("cannot tell a format from " + shown_path(path) + ": it must end with ." + join(known, " or ."));
  return {};
}

/// Refuses options that apply to pictures and masks only.
Result<void> checkOptions(const RunArguments& run, const ExportArguments& given) {
  const std::pair<const char*, bool> others[]{
      {"--session", given.session.has_value()},
      {"--mask", given.mask.has_value()},
      {"--batch-file", given.batchFile.has_value()},
      {"--minus", !given.minus.empty()},
      {"--minus-mask", given.minusMask.has_value()},
      {"--rows", given.rows.has_value()},
      {"--cols", given.cols.has_value()},
      {"--aggregate", given.aggregate.has_value()},
      {"--colour-map", given.colourMap.has_value()},
      {"--log", given.axes.has_value()},
      {"--square", given.square},
      {"--polarity or --threshold", given.imported.polarity || given.imported.threshold}};
  const auto refused = [&](const std::string& option) {
    return invalid(option + " is for matrices and curves, " + run.method.id + " is a run");
  };
  if (const auto option = givenFigureOption(given)) return refused(*option);
  for (const auto& [option, isGiven] : others)
    if (isGiven) return refused(option);
  if ((given.imported.batch || given.imported.head) && !takesSamples(run.recipe))
    return invalid("--batch and --head are for tensors of attention, " + run.method.id + " has none");
  return {};
}

bool isFile(const RunRecipe& recipe, const Setting& setting) {
  const auto input = std::ranges::find(recipe.inputs, setting.name, &RunInput::name);
  return !setting.array && input != recipe.inputs.end() && input->file;
}

/// data=PATH of a run that reads a text is data=text and text=PATH.
std::vector<Setting> withTextPath(const std::vector<Setting>& settings, const Method& method) {
  const ParameterSpec* data = find_spec(method.parameters, "data");
  const auto& inputs = method.run()->inputs;
  if (!data || std::ranges::count(inputs, "text", &RunInput::name) == 0) return settings;
  std::vector<Setting> all;
  for (const auto& setting : settings) {
    std::error_code failed;
    const bool isPath =
        setting.name == "data" && std::ranges::count(data->choices, setting.value, &Choice::id) == 0 &&
        (setting.value.find_first_of("./") != std::string::npos || std::filesystem::exists(setting.value, failed));
    if (isPath) all.push_back({"text", setting.value});
    all.push_back(isPath ? Setting{"data", "text"} : setting);
  }
  return all;
}

/// Parameters of the method and names of its files: both count for "did you mean".
std::vector<ParameterSpec> knownNames(const RunArguments& run) {
  std::vector<ParameterSpec> specs = run.method.parameters;
  for (const auto& input : run.recipe.inputs)
    if (input.file) specs.push_back({.name = input.name, .kind = ParameterKind::text, .default_value = std::string()});
  return specs;
}

Result<const RunInput*> inputOf(const RunArguments& run, const std::string& name) {
  const auto found = std::ranges::find(run.recipe.inputs, name, &RunInput::name);
  if (found != run.recipe.inputs.end() && found->file)
    return invalid(name + " of " + run.method.id + " is a whole file: use --set " + name + "=FILE");
  if (found != run.recipe.inputs.end()) return &*found;
  std::vector<std::string> known;
  for (const auto& input : run.recipe.inputs)
    if (!input.file) known.push_back(input.name);
  if (known.empty()) return invalid("unknown array " + shortened(name) + ": " + run.method.id + " has no arrays");
  return invalid("unknown array " + shortened(name) + " of " + run.method.id + " but must be one of " +
                 join(known, ", ") + did_you_mean(name, known));
}

/// A parameter, which no tensor of the run has the name of.
bool isList(const RunArguments& run, const std::string& name) {
  const ParameterSpec* spec = find_spec(run.method.parameters, name);
  return spec && is_number_list(spec->kind) && std::ranges::count(run.recipe.inputs, name, &RunInput::name) == 0;
}

/// The tensors of --array qkv in its place.
Result<std::vector<Setting>> withQkv(const std::vector<Setting>& settings, const RunRecipe& recipe) {
  std::vector<Setting> all;
  for (const auto& setting : settings) {
    if (!setting.array || setting.name != "qkv" || setting.value.empty() || !takesSamples(recipe)) {
      all.push_back(setting);
      continue;
    }
    const auto found = find_qkv(setting.value);
    if (!found) return found.error();
    all.push_back({"q", found->q, true});
    all.push_back({"k", found->k, true});
    if (!found->v.empty()) all.push_back({"v", found->v, true});
  }
  return all;
}

/// One sample of a tensor that has a dimension of samples; others stay.
Result<void> takeSample(const RunInput& input, const std::optional<Index>& batch, StoredTensor& tensor) {
  const auto rank = static_cast<Index>(tensor.shape.size());
  if (input.rank == 0 || rank != input.rank + 1) return {};
  const Index samples = tensor.shape[0];
  const std::string given = input.name + " is " + shape_words(tensor.shape);
  if (!batch && samples != 1) return invalid("{}, a batch of {} samples: --batch N chooses one", given, samples);
  const Index sample = batch.value_or(0);
  if (sample < 0 || sample >= samples) return invalid("--batch is {}, {}: must be 0 to {}", sample, given, samples - 1);
  tensor.name.leading.push_back(sample);
  tensor.header = npy_slice(tensor.header, std::array{sample});
  tensor.shape = tensor.header.shape;
  return {};
}

/// --batch needs a tensor with samples.
Result<void> takeSamples(const RunArguments& run, StoredTensors& tensors) {
  bool hasSamples = false;
  for (auto& [name, tensor] : tensors) {
    const std::size_t before = tensor.shape.size();
    if (auto taken = takeSample(*inputOf(run, name).value(), run.batch, tensor); !taken) return taken;
    hasSamples = hasSamples || tensor.shape.size() < before;
  }
  if (!run.batch || hasSamples || tensors.empty()) return {};
  const auto& [name, tensor] = *tensors.rbegin();
  return invalid("--batch is {}, {} is {}, which has no dimension of samples: [batch, heads, T, d]", *run.batch, name,
                 shape_words(tensor.shape));
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

Result<RunArguments> runArguments(const Method& method, const ExportArguments& given) {
  RunArguments run{.method = method,
                   .recipe = *method.run(),
                   .batch = given.imported.batch,
                   .preset = given.preset,
                   .force = given.force,
                   .outputs = given.outputs};
  if (auto checked = checkOptions(run, given); !checked) return checked.error();
  const auto settings = withQkv(withTextPath(given.settings, method), run.recipe);
  if (!settings) return settings.error();
  run.isQkv = takesSamples(run.recipe) &&
              std::ranges::any_of(given.settings, [](const Setting& each) { return each.array && each.name == "qkv"; });
  for (const auto& setting : *settings) {
    if (setting.array && setting.value.empty()) return refusedOption("--array", setting.name + "=", "name=FILE");
    if (setting.array && isList(run, setting.name)) {
      run.settings.push_back(setting);
      continue;
    }
    if (setting.array && std::ranges::count(run.arrays, setting.name, &Setting::name) > 0)
      return invalid("--array names " + shortened(setting.name) + " twice");
    (setting.array ? run.arrays : isFile(run.recipe, setting) ? run.files : run.settings).push_back(setting);
  }
  if (given.imported.head) run.settings.push_back({"head", to_text(*given.imported.head)});
  if (auto checked = checkOutputs(run); !checked) return checked.error();
  return run;
}

Result<ParameterValues> runValues(const RunArguments& run) {
  const auto specs = knownNames(run);
  ParameterValues values = default_values(run.method.parameters);
  if (auto applied = applyPreset(run.preset, run.method, values); !applied) return applied.error();
  for (const auto& setting : run.settings)
    if (auto applied = applySetting(setting, specs, run.method.id, values); !applied) return applied.error();
  if (auto checked = check_method_values(run.method, values); !checked) return checked.error();
  return values;
}

const RunOutput* outputOf(const RunRecipe& recipe, const std::string& path) {
  return find_output(recipe.outputs, lower_case(path));
}

bool isReport(const RunOutput& output) { return output.suffix == "json"; }

Result<StoredTensors> findTensors(const RunArguments& run, double memory) {
  for (const auto& array : run.arrays)
    if (auto input = inputOf(run, array.name); !input) return input.error();
  StoredTensors found;
  for (const auto& array : run.arrays) {
    const bool flags = inputOf(run, array.name).value()->flags;
    auto tensor = open_tensor(array.value, flags ? TensorUse::flags : TensorUse::numbers);
    if (!tensor && tensor.error().code == Errc::not_found) return within("--array " + array.name, tensor.error());
    if (!tensor) return tensor.error();
    found.emplace(array.name, std::move(*tensor));
  }
  for (const auto& input : run.recipe.inputs)
    if (input.required && !input.file && !found.contains(input.name))
      return invalid("array " + input.name + " is missing, " + run.method.id + " needs --array " + input.name +
                     "=FILE");
  if (auto taken = takeSamples(run, found); !taken) return taken.error();
  if (auto fits = checkMemory(found, memory); !fits) return fits.error();
  return found;
}

Result<RunFiles> findFiles(const RunArguments& run) {
  RunFiles found;
  for (const auto& given : run.files) {
    const bool takesFolder = std::ranges::find(run.recipe.inputs, given.name, &RunInput::name)->folder;
    if (std::error_code failed; takesFolder && std::filesystem::is_directory(given.value, failed)) {
      found.insert_or_assign(given.name, RunFile{given.value, nullptr});
      continue;
    }
    auto file = open_file(given.value);
    // FILE:NAME of a tensor in it.
    if (const auto tensor = parse_tensor_name(given.value); !file && tensor && tensor->file != given.value)
      file = open_file(tensor->file);
    if (!file) return file.error();
    found.insert_or_assign(given.name, RunFile{given.value, std::move(*file)});
  }
  for (const auto& input : run.recipe.inputs)
    if (input.required && input.file && !found.contains(input.name))
      return invalid(input.name + " is missing, " + run.method.id + " needs --set " + input.name + "=FILE");
  return found;
}

std::vector<std::string> takeImplied(const RunArguments& run, const StoredTensors& tensors, ParameterValues& values) {
  if (!run.recipe.implied) return {};
  RunShapes shapes;
  for (const auto& [name, tensor] : tensors) shapes.emplace(name, tensor.shape);
  if (run.isQkv) shapes.emplace("qkv", std::vector<Index>());
  const ImpliedValues implied = run.recipe.implied(shapes, values);
  std::vector<std::string> sentences;
  for (const auto& [name, value] : implied.values.map()) {
    if (std::ranges::count(run.settings, name, &Setting::name) > 0) continue;
    values.set(name, value);
    if (const auto sentence = implied.sentences.find(name); sentence != implied.sentences.end())
      sentences.push_back(sentence->second);
  }
  return sentences;
}

std::string takeMask(RunArguments& run, const Work& work) {
  const auto queries = std::ranges::find(run.arrays, "q", &Setting::name);
  const bool takes = std::ranges::count(run.recipe.inputs, maskFile, &RunInput::name) > 0;
  if (!run.isQkv || !takes || queries == run.arrays.end()) return {};
  for (const char* name : {"causal", "mask", maskFile})
    if (std::ranges::count(run.settings, name, &Setting::name) + std::ranges::count(run.files, name, &Setting::name) >
        0)
      return {};
  const auto beside = mask_beside(queries->value, run.batch, work);
  if (!beside) return {};
  if (!beside->same_in_all_heads)
    return fmt::format("the mask {} differs by head and is not applied: attention is causal", beside->title);
  run.files.push_back({maskFile, beside->path});
  return {};
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
