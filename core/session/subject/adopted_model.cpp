// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/adopted_model.h"

#include "core/config/model_values.h"
#include "core/method/method.h"
#include "core/session/layer_views.h"
#include "core/session/resolve.h"

#include <algorithm>

namespace vqscope {

Subject adopted_model(const Subject& before, const OpenedConfig& model) {
  Subject next = before;
  next.model = model.place.name;
  next.config = model.text;
  next.model_file = model.place.absolute_file();
  for (const auto& each : subject_parameters())
    if (each.part == SubjectPart::model) next.values = without(next.values, each.spec.name);
  const ParameterValues given = model_values(model.report);
  for (const auto& [key, value] : given.map()) {
    const auto* known = find_subject_parameter(key);
    if (known && known->part == SubjectPart::model && value.index() == known->spec.default_value.index())
      next.values.set(key, check_value(known->spec, value) ? value : nearest_value(known->spec, value));
  }
  const Index served = longest_sequence(model.report);
  if (served > 0 && !before.values.find("q_length")) next.values.set("q_length", served);
  return next;
}

const ModelLayer* first_mask_of(const LayerSchedule& schedule) {
  const auto& layers = schedule.layers;
  const auto windowed =
      std::ranges::find_if(layers, [](const ModelLayer& layer) { return layer.window > 0 && mask_of_layer(layer); });
  if (windowed != layers.end()) return &*windowed;
  const auto full = std::ranges::find(layers, LayerAttention::full, &ModelLayer::attention);
  return full == layers.end() ? nullptr : &*full;
}

}  // namespace vqscope
