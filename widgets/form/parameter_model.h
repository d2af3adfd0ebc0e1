// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QObject>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// The values of a form: the values set last and, over them, entries made since. Each row is an
/// editor bound to a name. The owner confirms entries with setValues(); entries that are not valid
/// stay as a draft until then.
class ParameterModel : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const ParameterValues& values() const { return m_values; }
  /// Sets the parameters. Unchanged ones keep their values; others take those of `given`, or their
  /// defaults.
  void setSpecs(std::vector<ParameterSpec> specs, const ParameterValues& given);

  /// Unknown names are ignored, and names that are not given keep their values. Ends a draft.
  void setValues(const ParameterValues& given);

  /// Why a set of values is invalid; empty: it is valid.
  using Check = std::function<QString(const ParameterValues&)>;
  void setCheck(Check check) { m_check = std::move(check); }
  /// Why a value of a name cannot be together with the other values; empty: it can.
  QString refusal(const std::string& name, const ParameterValue& value) const;

  /// The last entry is not valid together with the session's values `base`.
  void keepDraft(const ParameterValues& base) { m_draftBase = base; }
  /// Whether there is an entry over the session's values, and these still equal `base`.
  bool isDraftOf(const ParameterValues& base) const { return m_draftBase && *m_draftBase == base; }
  void dropDraft() { m_draftBase.reset(); }
  bool hasDraft() const { return m_draftBase.has_value(); }

  /// The user edited a name. `finished` is false while a slider is dragged.
  void enter(const std::string& name, const ParameterValue& value, bool finished);
  /// The user takes back what was set for a name; it shows the default until the owner sets another
  /// value.
  void reset(const std::string& name, const ParameterValue& value);
  /// The user edited several names, as one step.
  void enterTogether(const ParameterValues& values);

 signals:
  /// The value of a name was set, possibly to the same value.
  void valueSet(const std::string& name);
  /// All values have been set.
  void settled();
  void entered(const std::string& name, const vqscope::ParameterValue& value, bool finished);
  void wasReset(const std::string& name);
  void enteredTogether(const vqscope::ParameterValues& values);

 private:
  void set(const std::string& name, const ParameterValue& value);

  std::vector<ParameterSpec> m_specs;
  ParameterValues m_values;
  std::optional<ParameterValues> m_draftBase;
  Check m_check;
};

}  // namespace vqscope
