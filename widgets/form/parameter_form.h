// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"
#include "widgets/form/parameter_model.h"

#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace vqscope {

class ParameterRow;

/// A form generated from specs: headings, labels, editors, ranges, tooltips. Its values are in a
/// ParameterModel; each row is bound to a name in it. The owner checks values that depend on each
/// other and reports errors with setError().
///
/// It has its own left and right margins, needs 288 pixels of width, and belongs into a
/// QScrollArea.
class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterForm(const std::vector<ParameterSpec>& specs, QWidget* parent = nullptr);
  ~ParameterForm() override;

  /// Sets the parameters, in this order. Rows of unchanged parameters stay, with the text being
  /// typed; other rows show the values of `given`, or their defaults.
  void setSpecs(const std::vector<ParameterSpec>& specs, const ParameterValues& given = {});

  /// Emits nothing. Unknown names are ignored, and parameters without a value here keep theirs.
  void setValues(const ParameterValues& values) { m_model.setValues(values); }
  const ParameterValues& values() const { return m_model.values(); }
  ParameterModel& model() { return m_model; }

  /// The values that are used for automatic parameters, by name.
  void setInForce(const ParameterValues& used);

  /// The parameters that all pages share, by name: whether this page takes the shared value.
  void setLinks(const std::map<std::string, bool>& linked);

  /// Source that the tooltips name.
  void setCitation(const Citation& citation);

  /// Shows a sentence below the parameter; empty: none.
  void setError(const QString& name, const QString& sentence);
  /// Shows warnings below their parameters; the other rows have none.
  void setWarnings(const std::map<std::string, std::string>& warnings);
  /// The first error of a text typed in a visible row, with the parameter's name; empty: all rows
  /// show their values.
  QString refusal() const;

 signals:
  /// refusal() may have changed.
  void refusalChanged();
  /// The value has the right type and is in its range. `finished` is false while a slider is
  /// dragged; the last edit of a drag is finished, so that a drag is one undo step.
  void valueEdited(const QString& name, const vqscope::ParameterValue& value, bool finished);
  /// The user takes back what was set for a parameter.
  void valueReset(const QString& name);
  /// The user links a parameter to the value that all pages share, or unlinks it.
  void linkRequested(const QString& name, bool linked);
  /// Several values were edited, as one step.
  void valuesEdited(const vqscope::ParameterValues& values);

 private:
  struct Group {
    std::string title;
    QLabel* heading = nullptr;
    QVBoxLayout* column = nullptr;
    std::vector<ParameterRow*> rows;
  };

  Group& groupOf(const std::string& title);
  ParameterRow* makeRow(const ParameterSpec& spec);
  void showRelevant();

  ParameterModel m_model;
  std::vector<Group> m_groups;
  Citation m_citation;
};

}  // namespace vqscope
