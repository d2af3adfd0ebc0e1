// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_texts.h"
#include "core/capture/parity/parity.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

JsonObject cause_json(const TriedCause& cause, bool sentence) {
  JsonObject object{{"id", cause.id}, {"explained", cause.explained}, {"departs", cause.in_a ? "a" : "b"}};
  object["parameters"] = shown_parameters(cause);
  if (!sentence) return object;
  object["sentence"] = cause_sentence(cause);
  object["call"] = cause_call(cause);
  return object;
}

JsonObject first_json(const FirstDifference& first, std::optional<Index> pair) {
  const auto& [batch, head, row, column] = first.cell.at;
  const TensorAxes axes = axes_of(first.role);
  JsonObject object{{"layer", first.layer}, {"tensor", name_of(first.role)}, {"batch", batch}, {"row", row}};
  object["head"] = axes == TensorAxes::rows ? JsonValue() : JsonValue(head);
  object["column"] = column;
  if (pair) object["pair"] = *pair;
  object["a"] = first.cell.a;
  object["b"] = first.cell.b;
  return object;
}

}  // namespace

std::string place_text(const FirstDifference& first) {
  const auto& [batch, head, row, column] = first.cell.at;
  const TensorAxes axes = axes_of(first.role);
  return fmt::format("layer {}, {}, sample {}{}, {} {}, {} {}: {} in A, {} in B", first.layer, name_of(first.role),
                     batch, axes == TensorAxes::rows ? "" : ", head " + to_text(head),
                     is_of_keys(first.role) ? "key" : "query", row, axes == TensorAxes::cells ? "key" : "column",
                     column, to_text(first.cell.a, 6), to_text(first.cell.b, 6));
}

JsonObject parity_json(const Parity& parity) {
  const CaptureComparison& comparison = parity.comparison;
  JsonArray layers, alternatives;
  for (const ComparedLayer& layer : comparison.layers) {
    JsonObject tensors;
    for (const auto& [role, difference] : layer.tensors)
      tensors[std::string(name_of(role))] =
          JsonObject{{"max", difference.max}, {"rms", difference.rms}, {"relative", difference.relative}};
    layers.push_back(JsonObject{{"layer", layer.layer}, {"tensors", tensors}});
  }
  for (const TriedCause& each : parity.alternatives) alternatives.push_back(cause_json(each, false));
  return {{"verdict", name_of(comparison.verdict)},
          {"sentence", parity.sentence},
          {"first", comparison.first ? JsonValue(first_json(*comparison.first, parity.pair)) : JsonValue()},
          {"cause", parity.cause ? JsonValue(cause_json(*parity.cause, true)) : JsonValue()},
          {"alternatives", alternatives},
          {"layers", layers},
          {"read", JsonObject{{"a", comparison.read_a}, {"b", comparison.read_b}}},
          {"look_at", parity.look_at},
          {"undetermined", parity.undetermined}};
}

}  // namespace vqscope
