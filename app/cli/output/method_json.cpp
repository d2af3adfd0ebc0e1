// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/method_json.h"

#include "app/cli/output/list_text.h"
#include "core/method/value_json.h"

namespace vqscope {
namespace {

const char* kindName(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::integer: return "integer";
    case ParameterKind::real: return "real";
    case ParameterKind::boolean: return "boolean";
    case ParameterKind::choice: return "choice";
    case ParameterKind::choice_set: return "choice_set";
    case ParameterKind::integer_list: return "integer_list";
    case ParameterKind::real_list: return "real_list";
    case ParameterKind::text: return "text";
    case ParameterKind::tensor: return "tensor";
  }
  return "";
}

bool isNumeric(ParameterKind kind) {
  return kind == ParameterKind::integer || kind == ParameterKind::real || is_number_list(kind);
}

JsonArray choicesToJson(const std::vector<Choice>& choices) {
  JsonArray array;
  for (const auto& choice : choices) array.push_back(JsonObject{{"id", choice.id}, {"help", choice.help}});
  return array;
}

JsonObject relevanceToJson(const std::vector<Relevance>& relevant) {
  JsonObject object;
  for (const auto& relevance : relevant)
    object[relevance.also.empty() ? relevance.name : relevance.name + " or " + relevance.also] = relevance.values;
  return object;
}

JsonObject parameterToJson(const ParameterSpec& spec) {
  ParameterValues default_value;
  default_value.set(spec.name, spec.default_value);
  JsonObject object{{"name", spec.name}, {"label", spec.title()},       {"group", spec.group},
                    {"help", spec.help}, {"kind", kindName(spec.kind)}, {"default", json_of(default_value)[spec.name]}};
  if (isNumeric(spec.kind)) {
    object["minimum"] = spec.minimum;
    object["maximum"] = spec.maximum;
  }
  if (!spec.unit.empty()) object["unit"] = spec.unit;
  if (!spec.automatic.empty()) object["automatic"] = spec.automatic;
  if (!spec.choices.empty()) object["choices"] = choicesToJson(spec.choices);
  if (!spec.relevant.empty()) object["relevant"] = relevanceToJson(spec.relevant);
  return object;
}

JsonArray inputsToJson(const RunRecipe& recipe) {
  JsonArray array;
  for (const auto& input : recipe.inputs)
    array.push_back(
        JsonObject{{"name", input.name}, {"help", input.help}, {"required", input.required}, {"file", input.file}});
  return array;
}

JsonArray outputsToJson(const RunRecipe& recipe) {
  JsonArray array;
  for (const auto& output : recipe.outputs)
    array.push_back(JsonObject{{"suffix", output.suffix}, {"help", output.help}});
  return array;
}

}  // namespace

JsonObject methodToJson(const Method& method) {
  JsonArray parameters;
  for (const auto& spec : method.parameters) parameters.push_back(parameterToJson(spec));
  JsonObject object{
      {"id", method.id},
      {"title", method.title},
      {"category", method.category},
      {"help", method.help},
      {"kind", kindOf(method)},
      {"citation", JsonObject{{"paper", method.citation.paper}, {"reference", method.citation.reference}}},
      {"parameters", parameters}};
  if (const auto& traits = method.traits)
    object["traits"] = JsonObject{{"relative", traits->relative},
                                  {"trainable", traits->trainable},
                                  {"each_layer", traits->each_layer},
                                  {"extrapolation", traits->extrapolation}};
  if (const auto* run = method.run()) {
    object["inputs"] = inputsToJson(*run);
    object["outputs"] = outputsToJson(*run);
  }
  return object;
}

JsonObject presetToJson(const ExperimentPreset& preset) {
  JsonObject object{
      {"id", preset.id},     {"title", preset.title},   {"experiment", preset.experiment->id}, {"brief", preset.brief},
      {"note", preset.note}, {"source", preset.source}, {"parameters", json_of(preset.values)}};
  if (preset.quick) object["quick"] = json_of(*preset.quick);
  return object;
}

}  // namespace vqscope
