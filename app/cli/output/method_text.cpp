// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/method_text.h"

#include "core/base/text.h"
#include "core/catalogue/survey/survey.h"

#include <algorithm>
#include <cctype>

namespace vqscope {
namespace {

std::string describe(const Method& method, const EncodingTraits& traits) {
  const SurveyRow* row = find_survey_row(method.id);
  std::string positions = row ? position_word(*row) : traits.relative ? "relative" : "absolute";
  positions.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(positions.front())));
  return "  " + positions + (traits.trainable ? ", trainable" : ", no learned parameters") +
         (traits.each_layer ? ", in each layer" : ", at the token embeddings") +
         ". Beyond the training length: " + traits.extrapolation + "\n";
}

/// Name and default, then help and valid values.
std::string describe(const ParameterSpec& spec) {
  std::string text = "    " + spec.name + " = " + format_value(spec.default_value) + "\n        " + spec.help + " " +
                     allowed(spec) + (spec.unit.empty() ? "" : " " + spec.unit);
  if (!spec.automatic.empty()) {
    const bool list = is_number_list(spec.kind);
    text += "; " + (list ? std::string("empty") : to_text(static_cast<Index>(spec.minimum))) + ": " + spec.automatic;
  }
  return text + "\n";
}

std::string describe(const RunRecipe& recipe) {
  std::string text;
  for (const auto& input : recipe.inputs)
    text += (input.file ? "    --set " + input.name + "=FILE" : "    --array " + input.name + "=TENSOR") +
            (input.required ? "" : "  (optional)") + "\n        " + input.help + "\n";
  for (const auto& output : recipe.outputs)
    text += "    --out FILE." + output.suffix + "\n        " + output.help + "\n";
  return text;
}

}  // namespace

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ') + "  ";
}

const char* kindOf(const Method& method) { return method.field() ? "matrix" : method.run() ? "run" : "curves"; }

std::string methodText(const Method& method) {
  std::string text =
      method.id + "  (" + method.category + ", " + kindOf(method) + ")\n  " + method.title + ": " + method.help + "\n";
  if (!method.citation.paper.empty()) text += "  Source: " + method.citation.paper + "\n";
  if (!method.citation.reference.empty()) text += "  Follows: " + method.citation.reference + "\n";
  if (method.traits) text += describe(method, *method.traits);
  if (const auto* run = method.run()) text += describe(*run);
  for (const auto& preset : experiment_presets())
    if (preset.experiment == &method) text += "  --preset " + preset.id + ": " + preset.title + "\n";
  for (const auto& spec : method.parameters) text += describe(spec);
  return text;
}

std::string methodLines(std::span<const Method> methods) {
  std::size_t ids = 0, categories = 0;
  for (const auto& method : methods) {
    ids = std::max(ids, method.id.size());
    categories = std::max(categories, method.category.size());
  }
  std::string text;
  for (const auto& method : methods)
    text +=
        padded(method.id, ids) + padded(method.category, categories) + padded(kindOf(method), 6) + method.title + "\n";
  return text;
}

std::string presetLines(std::span<const ExperimentPreset* const> presets) {
  std::size_t ids = 0, experiments = 0;
  for (const auto* preset : presets) {
    ids = std::max(ids, preset->id.size());
    experiments = std::max(experiments, preset->experiment->id.size());
  }
  std::string text;
  for (const auto* preset : presets)
    text += padded(preset->id, ids) + padded(preset->experiment->id, experiments) + preset->title + "\n";
  return text;
}

}  // namespace vqscope
