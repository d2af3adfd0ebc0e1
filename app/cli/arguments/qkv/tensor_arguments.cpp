// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/qkv/tensor_arguments.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/method/qkv/head_tensor.h"
#include "core/method/qkv/qkv_names.h"
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// Names of --array, and the parameters that they set.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> tensorParameters{
    {{"q", "q_tensor"}, {"k", "k_tensor"}, {"v", "v_tensor"}, {"codebook", "codebook_tensor"}}};

const Setting* settingOf(const std::vector<Setting>& settings, std::string_view name) {
  const auto last = std::ranges::find(settings.rbegin(), settings.rend(), name, &Setting::name);
  return last == settings.rend() ? nullptr : &*last;
}

/// The index of a sample before the heads; tensors without samples stay.
Result<std::string> withSample(const std::string& name, const std::string& text, std::optional<Index>& batch,
                               bool& isTaken) {
  auto tensor = parse_tensor_name(text);
  if (!tensor) return invalid("{}: {}", name, tensor.error().message);
  const auto stored = open_tensor(text);
  if (!stored) return stored.error();
  if (stored->shape.size() != 4) return text;
  const Index samples = stored->shape[0];
  const std::string given = fmt::format("{} = {} is {}", name, shortened(text, 120), shape_words(stored->shape));
  if (!batch && samples != 1) return invalid("{}, a batch of {} samples: --batch N chooses one", given, samples);
  const Index sample = batch.value_or(0);
  if (sample >= samples) return invalid("--batch is {}, {}: must be 0 to {}", sample, given, samples - 1);
  isTaken = true;
  tensor->leading.push_back(sample);
  return tensor_name_text(*tensor);
}

bool isTensorArray(const Setting& setting) {
  const auto isName = [&](const auto& each) { return each.first == setting.name; };
  return setting.array && (setting.name == "qkv" || std::ranges::any_of(tensorParameters, isName));
}

/// Settings of tensor parameters in the place of arrays, also of those that a method does not have.
Result<std::vector<Setting>> namedTensors(const MethodArguments& arguments) {
  std::vector<Setting> all;
  for (const auto& setting : arguments.settings) {
    const auto known = std::ranges::find(tensorParameters, setting.name, [](const auto& each) { return each.first; });
    if (setting.array && setting.name == "qkv") {
      const auto found = find_qkv(setting.value);
      if (!found) return found.error();
      for (const auto& [name, text] : {std::pair("q_tensor", found->q), {"k_tensor", found->k}, {"v_tensor", found->v}})
        if (!text.empty()) all.push_back({name, text});
    } else if (setting.array && known != tensorParameters.end()) {
      all.push_back({std::string(known->second), setting.value});
    } else {
      all.push_back(setting);
    }
  }
  return all;
}

/// What follows from the tensors, such as the length of the sequence, for each parameter that is not
/// set. A codebook is for keys as they are given.
void followTensors(const Method& method, Index queries, Index keys, std::vector<Setting>& settings) {
  const auto set = [&](const std::string& name, const ParameterValue& value) {
    const auto* spec = find_spec(method.parameters, name);
    if (spec && !settingOf(settings, name)) settings.push_back({name, format_value(value)});
  };
  const bool hasCodebook = settingOf(settings, "codebook_tensor") != nullptr;
  if (hasCodebook) set("normalize", std::string("none"));
  const auto isLearnt = [](const std::string& name) {
    return name == "n_code" || name == "steps" || name == "train_keys";
  };
  for (const auto& spec : method.parameters) {
    const auto value = value_for_tensors(method.parameters, spec, spec.name == "q_length" ? queries : keys);
    if (value && !(hasCodebook && isLearnt(spec.name))) set(spec.name, *value);
  }
  if (queries == keys) return;
  set("kv_length", keys);
  set("past_len", keys - queries);
}

/// Lengths of the sequence as the tensors have them, and a note on the head that is read.
Result<void> follow(const Method& method, std::vector<Setting>& settings) {
  std::vector<HeadTensor> tensors;
  for (const char* name : {"q_tensor", "k_tensor", "v_tensor"})
    if (const auto* setting = settingOf(settings, name)) {
      auto found = HeadTensor::find(name, setting->value);
      if (!found) return found.error();
      tensors.push_back(std::move(*found));
    }
  ParameterValues values;
  for (const char* name : {"head", "tensor_layout"})
    if (const auto* setting = settingOf(settings, name); setting && find_spec(method.parameters, name))
      if (auto value = parse_value(*find_spec(method.parameters, name), setting->value)) values.set(name, *value);
  std::vector<const HeadTensor*> qkv;
  for (const HeadTensor& each : tensors) qkv.push_back(&each);
  const auto chosen = choose_head(qkv, values, find_spec(method.parameters, "vectors") != nullptr);
  if (!chosen) return chosen.error();
  // Remarks say it after the work, so that a refusal stays one line.
  if (const std::string sentence = head_sentence(tensors[0], *chosen); !sentence.empty() && !method.remark)
    noteOfInput(sentence);
  const HeadLayout layout = chosen->layout.layout;
  followTensors(method, tensors[0].rows(layout), tensors[std::min<std::size_t>(1, tensors.size() - 1)].rows(layout),
                settings);
  if (find_spec(method.parameters, "q_tensor")) return {};
  // Without the queries, the keys' own head follows from how many there are.
  if (chosen->heads > 0 && !settingOf(settings, "num_heads")) settings.push_back({"num_heads", to_text(chosen->heads)});
  if (chosen->heads > 0 && !chosen->layout.is_guess && !settingOf(settings, "tensor_layout"))
    settings.push_back({"tensor_layout", layout == HeadLayout::heads_first ? "heads_first" : "tokens_first"});
  return {};
}

}  // namespace

Result<void> takeTensors(MethodArguments& arguments, const Method& method) {
  if (!find_spec(method.parameters, "k_tensor")) return {};
  auto settings = namedTensors(arguments);
  if (!settings) return settings.error();
  const bool areArrays = std::ranges::any_of(arguments.settings, isTensorArray);
  bool isTaken = false;
  for (auto& setting : *settings) {
    const bool isTensor = setting.name == "q_tensor" || setting.name == "k_tensor" || setting.name == "v_tensor";
    if (!isTensor || setting.value.empty()) continue;
    auto text = withSample(setting.name, setting.value, arguments.imported.batch, isTaken);
    if (!text) return text.error();
    setting.value = std::move(*text);
  }
  if (isTaken) arguments.imported.batch.reset();
  if (!areArrays && !settingOf(*settings, "k_tensor")) return {};
  if (arguments.imported.head) settings->push_back({"head", to_text(*arguments.imported.head)});
  arguments.imported.head.reset();
  for (const char* name : {"data", "vectors"})
    if (const auto* spec = find_spec(method.parameters, name); spec && areArrays && !settingOf(*settings, name))
      settings->push_back({name, "tensors"});
  if (areArrays)
    if (auto followed = follow(method, *settings); !followed) return followed;
  if (std::ranges::any_of(arguments.settings, [](const Setting& each) { return each.array && each.name == "qkv"; }))
    std::erase_if(*settings, [&](const Setting& each) {
      return (each.name == "q_tensor" || each.name == "v_tensor") && !find_spec(method.parameters, each.name);
    });
  arguments.settings = std::move(*settings);
  return {};
}

}  // namespace vqscope
