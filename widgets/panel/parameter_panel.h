// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace vqscope {

class MaskSource;
class MethodList;
class ParameterForm;
class ViewOptions;

/// The left dock of one page: method, parameters, colours, comparison. Each change becomes an edit
/// of the workbench. Errors are shown below their row, and the session keeps its last valid values.
class ParameterPanel : public QWidget {
  Q_OBJECT
 public:
  ParameterPanel(Workbench& workbench, const PageInfo& info, QWidget* parent = nullptr);

  /// Shows the values of the session.
  void sync();
  /// Another session was opened: what was typed and not entered belongs to the former.
  void forget();
  /// Gives the field of a parameter the focus; false if it is not shown.
  bool focusOn(const QString& name);
  /// Sets parameters of the form, at least one, as if they were entered there.
  void setValues(const ParameterValues& values);
  /// The form of the current method.
  ParameterForm* form() { return m_form; }
  /// The mask source on pages of masks; null on other pages.
  MaskSource* maskSource() { return m_maskSource; }
  bool isBusy() const;
  /// Whether the form shows the second side of a comparison.
  bool showsOther() const;
  /// The values of the side that the form shows.
  const ParameterValues& shownValues() const;

 signals:
  /// A side of a comparison was chosen for the form.
  void sideTurned();
  void notified(const QString& sentence, bool bad);
  /// Why typed values are not shown; empty: the form shows the session's values.
  void draftChanged(const QString& sentence);

 private:
  /// The form shows the session's values again.
  void discardDraft();
  void dropDraft();
  void showProblem();
  void makeForm();
  QString refusalOf(const ParameterValues& entered) const;
  void addAbout(QVBoxLayout* layout);
  void addMethods(QVBoxLayout* layout);
  void addSides(QVBoxLayout* layout);
  void addMaskSource(QVBoxLayout* layout);
  void onEdited(const QString& name, const ParameterValues& edited, bool finished);
  void onReset(const QString& name);
  void showLinks();
  void followComparison();
  void showError(const Error& error, const QString& editedName);
  void showMethod(int index);
  void edit(const QString& text, const ShownPage& next);
  const ShownPage& state() const;

  Workbench& m_workbench;
  const PageInfo& m_info;
  std::vector<ParameterSpec> m_specs;  ///< specs of the form
  ParameterForm* m_form = nullptr;
  QVBoxLayout* m_formPlace = nullptr;
  QButtonGroup* m_methods = nullptr;   ///< if there are few methods,
  MethodList* m_methodList = nullptr;  ///< if there are many methods
  QButtonGroup* m_sides = nullptr;
  QWidget* m_sideRow = nullptr;
  MaskSource* m_maskSource = nullptr;
  ViewOptions* m_viewOptions = nullptr;  ///< null: the page has no maps
  QString m_draftProblem;                ///< why the form's draft is not valid
  QString m_problem;                     ///< the last reported problem
  bool m_compares = false;
  bool m_syncing = false;
};

}  // namespace vqscope
