// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_model.h"

namespace vqscope {

void ParameterModel::setSpecs(std::vector<ParameterSpec> specs, const ParameterValues& given) {
  ParameterValues values;
  for (const auto& spec : specs) {
    const auto* former = find_spec(m_specs, spec.name);
    const auto* value = former && *former == spec ? m_values.find(spec.name) : given.find(spec.name);
    const bool fits = value && value->index() == spec.default_value.index();
    values.set(spec.name, fits ? *value : spec.default_value);
  }
  m_specs = std::move(specs);
  m_values = std::move(values);
}

QString ParameterModel::refusal(const std::string& name, const ParameterValue& value) const {
  if (!m_check) return {};
  ParameterValues values = m_values;
  values.set(name, value);
  return m_check(values);
}

void ParameterModel::set(const std::string& name, const ParameterValue& value) {
  m_values.set(name, value);
  emit valueSet(name);
}

void ParameterModel::setValues(const ParameterValues& given) {
  m_draftBase.reset();
  for (const auto& [name, value] : given.map())
    if (m_values.find(name)) set(name, value);
  emit settled();
}

void ParameterModel::enter(const std::string& name, const ParameterValue& value, bool finished) {
  set(name, value);
  emit settled();
  emit entered(name, value, finished);
}

void ParameterModel::reset(const std::string& name, const ParameterValue& value) {
  set(name, value);
  emit settled();
  emit wasReset(name);
}

void ParameterModel::enterTogether(const ParameterValues& values) {
  for (const auto& [name, value] : values.map()) set(name, value);
  emit settled();
  emit enteredTogether(values);
}

}  // namespace vqscope
