// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QVBoxLayout;

namespace vqscope {

class MaskSource;
class ParameterForm;

/// The left dock of one page: which method, its parameters, how it is coloured, what it is compared with. Whatever a
/// person sets becomes an edit of the workbench; what does not check is said beneath its row and the session keeps its
/// last good values.
class ParameterPanel : public QWidget {
  Q_OBJECT
 public:
  ParameterPanel(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent = nullptr);

  /// Shows what the session says now.
  void sync();
  /// Puts the keyboard into the field of a parameter; false where it is not shown.
  bool focusOn(const QString& name);
  /// The form of the method shown.
  ParameterForm* form() { return m_form; }
  /// Of a page of masks; elsewhere nothing.
  MaskSource* maskSource() { return m_maskSource; }
  bool isBusy() const;

 signals:
  void said(const QString& sentence, bool bad);
  /// Why what is typed is not shown; empty: the form says what the session says.
  void draftChanged(const QString& sentence);

 private:
  /// The form shows the session's values again.
  void discardDraft();
  void dropDraft();
  void tellProblem();
  void makeForm();
  void addAbout(QVBoxLayout* layout);
  void addMethods(QVBoxLayout* layout);
  void addSides(QVBoxLayout* layout);
  void addMaskSource(QVBoxLayout* layout);
  void addViewOptions(QVBoxLayout* layout);
  void addCompare(QVBoxLayout* layout);
  void onEdited(const QString& name, const ParameterValues& edited, bool finished);
  void showError(const Error& error, const QString& editedName);
  void showMethod(int index);
  void edit(const QString& text, const WorkspaceState& next);
  const WorkspaceState& state() const;
  const ParameterValues& shownValues() const;

  Workbench& m_workbench;
  const WorkspaceInfo& m_info;
  std::vector<ParameterSpec> m_specs;  ///< of the form
  ParameterForm* m_form = nullptr;
  QVBoxLayout* m_formPlace = nullptr;
  QButtonGroup* m_methods = nullptr;  ///< where there are few methods,
  QComboBox* m_methodList = nullptr;  ///< where there are many
  QButtonGroup* m_sides = nullptr;
  QWidget* m_sideRow = nullptr;
  MaskSource* m_maskSource = nullptr;
  QComboBox* m_aggregate = nullptr;
  QComboBox* m_colourMap = nullptr;
  QCheckBox* m_keepAspect = nullptr;
  QComboBox* m_compare = nullptr;
  QString m_draftProblem;  ///< why the form's draft does not check
  QString m_problem;       ///< what was told last
  int m_dragKey = 0;
  bool m_syncing = false;
};

}  // namespace vqscope
