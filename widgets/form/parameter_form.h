// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"
#include "widgets/form/parameter_model.h"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace vqscope {

class ParameterRow;

/// A form made wholly from specs: headings, labels, editors, ranges, tool tips. Its values are in a ParameterModel, to
/// whose names the rows are bound; what they mean together is for others to check, and to tell with setError().
///
/// It has its own margins on the left and right and stands in a QScrollArea; 288 pixels are enough.
class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterForm(const std::vector<ParameterSpec>& specs, QWidget* parent = nullptr);
  ~ParameterForm() override;

  /// Other parameters, in that order. Rows of those that stay the same stay, with what is being typed in them; the
  /// others show the values of `given`, or their defaults.
  void setSpecs(const std::vector<ParameterSpec>& specs, const ParameterValues& given = {});

  /// Emits nothing. Names that no spec has are passed over, and parameters that are not among the values keep theirs.
  void setValues(const ParameterValues& values) { m_model.setValues(values); }
  const ParameterValues& values() const { return m_model.values(); }
  ParameterModel& model() { return m_model; }

  /// What is used for values that are automatic, by name.
  void setInForce(const ParameterValues& used);

  /// Named in the tool tips.
  void setCitation(const Citation& citation);

  /// A sentence beneath the parameter; empty: none.
  void setError(const QString& name, const QString& sentence);
  /// Why what is typed in a row that is shown is not its value: the first of them, with the parameter's name; empty:
  /// the form shows its values.
  QString refusal() const;

 signals:
  /// refusal() may be another.
  void refusalChanged();
  /// The value is of the right type and in its range. `finished` is false while a slider is being dragged; the last
  /// edit of a drag is finished, so that a drag is one step of undo.
  void valueEdited(const QString& name, const vqscope::ParameterValue& value, bool finished);
  /// Several values at once, as one step.
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
