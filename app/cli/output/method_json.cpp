// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/method_json.h"

#include "app/cli/output/method_text.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/parameter_json.h"

#include <QJsonArray>

namespace vqscope {
namespace {

QString kindName(ParameterKind kind) {
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
  return {};
}

bool isNumeric(ParameterKind kind) {
  return kind == ParameterKind::integer || kind == ParameterKind::real || is_number_list(kind);
}

QJsonArray choicesToJson(const std::vector<Choice>& choices) {
  QJsonArray array;
  for (const auto& choice : choices)
    array.append(QJsonObject{{"id", jsonText(choice.id)}, {"help", jsonText(choice.help)}});
  return array;
}

QJsonObject relevanceToJson(const std::vector<Relevance>& relevant) {
  QJsonObject object;
  for (const auto& relevance : relevant) {
    QJsonArray values;
    for (const auto& value : relevance.values) values.append(jsonText(value));
    object[jsonText(relevance.also.empty() ? relevance.name : relevance.name + " or " + relevance.also)] = values;
  }
  return object;
}

QJsonObject parameterToJson(const ParameterSpec& spec) {
  ParameterValues fallback;
  fallback.set(spec.name, spec.fallback);
  QJsonObject object{{"name", jsonText(spec.name)},   {"label", jsonText(spec.title())},
                     {"group", jsonText(spec.group)}, {"help", jsonText(spec.help)},
                     {"kind", kindName(spec.kind)},   {"default", valuesToJson(fallback)[jsonText(spec.name)]}};
  if (isNumeric(spec.kind)) {
    object["minimum"] = spec.minimum;
    object["maximum"] = spec.maximum;
  }
  if (!spec.unit.empty()) object["unit"] = jsonText(spec.unit);
  if (!spec.automatic.empty()) object["automatic"] = jsonText(spec.automatic);
  if (!spec.choices.empty()) object["choices"] = choicesToJson(spec.choices);
  if (!spec.relevant.empty()) object["relevant"] = relevanceToJson(spec.relevant);
  return object;
}

QJsonArray inputsToJson(const RunRecipe& recipe) {
  QJsonArray array;
  for (const auto& input : recipe.inputs)
    array.append(
        QJsonObject{{"name", jsonText(input.name)}, {"help", jsonText(input.help)}, {"required", input.required}});
  return array;
}

QJsonArray outputsToJson(const RunRecipe& recipe) {
  QJsonArray array;
  for (const auto& output : recipe.outputs)
    array.append(QJsonObject{{"suffix", jsonText(output.suffix)}, {"help", jsonText(output.help)}});
  return array;
}

}  // namespace

QJsonObject methodToJson(const Method& method) {
  QJsonArray parameters;
  for (const auto& spec : method.parameters) parameters.append(parameterToJson(spec));
  QJsonObject object{{"id", jsonText(method.id)},
                     {"title", jsonText(method.title)},
                     {"category", jsonText(method.category)},
                     {"help", jsonText(method.help)},
                     {"kind", kindOf(method)},
                     {"citation", QJsonObject{{"paper", jsonText(method.citation.paper)},
                                              {"reference", jsonText(method.citation.reference)}}},
                     {"parameters", parameters}};
  if (const auto& traits = method.traits)
    object["traits"] = QJsonObject{{"relative", traits->relative},
                                   {"trainable", traits->trainable},
                                   {"each_layer", traits->each_layer},
                                   {"extrapolation", jsonText(traits->extrapolation)}};
  if (const auto* run = method.run()) {
    object["inputs"] = inputsToJson(*run);
    object["outputs"] = outputsToJson(*run);
  }
  return object;
}

}  // namespace vqscope
