// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// The one place where a form has its values: those that it was given last, and over them what was entered since.
/// Rows are editors bound to a name of it. Whoever takes what was entered gives it back with setValues(); what does not
/// check is kept as a draft until then.
class ParameterModel : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const ParameterValues& values() const { return m_values; }
  /// Other parameters. Those that stay the same keep their values; the others have those of `given`, or their defaults.
  void setSpecs(std::vector<ParameterSpec> specs, const ParameterValues& given);

  /// Names that are not there are passed over, and those that are not given keep their values. Ends a draft.
  void setValues(const ParameterValues& given);

  /// What was entered last did not check against the values `base`, which are the session's.
  void keepDraft(const ParameterValues& base) { m_draftBase = base; }
  /// What was entered stands over the session's values `base`, which have not changed since.
  bool isDraftOf(const ParameterValues& base) const { return m_draftBase && *m_draftBase == base; }
  void dropDraft() { m_draftBase.reset(); }
  bool hasDraft() const { return m_draftBase.has_value(); }

  /// A person's edit of a name. `finished` is false while a slider is being dragged.
  void enter(const std::string& name, const ParameterValue& value, bool finished);
  /// Several at once, as one step.
  void enterTogether(const ParameterValues& values);

 signals:
  /// The value of a name was set, to another or to the same.
  void valueSet(const std::string& name);
  /// All that were to be set are.
  void settled();
  void entered(const std::string& name, const vqscope::ParameterValue& value, bool finished);
  void enteredTogether(const vqscope::ParameterValues& values);

 private:
  void set(const std::string& name, const ParameterValue& value);

  std::vector<ParameterSpec> m_specs;
  ParameterValues m_values;
  std::optional<ParameterValues> m_draftBase;
};

}  // namespace vqscope
