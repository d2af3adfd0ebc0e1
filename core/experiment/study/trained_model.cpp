// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/trained_model.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_numbers = (std::size_t{128} << 20) / sizeof(float);

std::size_t numbers_of(const TrainedModel& model) {
  return model.parameters() ? model.parameters()->values.size() : std::size_t{1};
}

}  // namespace

std::optional<double> TrainedModel::measured(const TestKey& key) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& [known, value] : m_measured)
    if (known == key) return value;
  return std::nullopt;
}

void TrainedModel::keep(TestKey key, double value) const {
  const std::lock_guard lock(m_mutex);
  m_measured.emplace_back(std::move(key), value);
}

TrainedModels::Model TrainedModels::find(const TrainingKey& key) const {
  const std::lock_guard lock(m_mutex);
  const auto known = std::ranges::find(m_models, key, &std::pair<TrainingKey, Model>::first);
  return known == m_models.end() ? nullptr : known->second;
}

void TrainedModels::keep(TrainingKey key, Model model) {
  const std::lock_guard lock(m_mutex);
  m_models.emplace_front(std::move(key), std::move(model));
  std::size_t numbers = 0;
  const auto beyond = std::ranges::find_if(
      m_models, [&](const auto& entry) { return (numbers += numbers_of(*entry.second)) > most_numbers; });
  m_models.erase(std::max(beyond, m_models.begin() + 1), m_models.end());
}

TrainedModels& TrainedModels::shared() {
  static TrainedModels models;
  return models;
}

}  // namespace vqscope
