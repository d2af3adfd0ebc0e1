// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/exporter.h"
#include "widgets/page/workspace_page.h"
#include "widgets/session/field_scheduler.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace vqscope {

/// What a person chose last, so that the next export begins there.
struct ExportChoices {
  QString format = QStringLiteral("png");
  int dpi = FigureOptions().dpi;
  QString folder;  ///< empty: where the program was started
};

/// Which of a page's pictures, as what, how much of it. Shows the file's size before it is written. A matrix is made
/// off the GUI thread; until it is there the whole of it can be exported, and no part.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  ExportDialog(const std::vector<ExportTarget>& targets, std::size_t selected, const WorkspaceState& look,
               const ExportChoices& choices, QWidget* parent);

  ExportRequest request() const;
  QString format() const;
  QString suggestedName() const;
  ExportChoices choices() const;

 private:
  const ExportTarget& target() const;
  void targetChanged();
  void take(const Result<std::shared_ptr<const Field>>& field);
  void showParts();
  void showSize();
  Result<std::optional<Rect>> chosenCells() const;

  std::vector<ExportTarget> m_targets;
  WorkspaceState m_look;
  QString m_folder;
  QComboBox* m_target;
  QComboBox* m_format;
  QRadioButton* m_whole;
  QRadioButton* m_visible;
  QRadioButton* m_block;
  QLineEdit* m_rows;
  QLineEdit* m_cols;
  QSpinBox* m_dpi;
  QLabel* m_note;
  QPushButton* m_export;
  FieldScheduler m_making;
  std::shared_ptr<const Field> m_field;  ///< of the target; none: of curves, under way or refused
  QString m_refusal;                     ///< why there is none
};

/// Asks where to and writes with a progress bar that can cancel; the parent's window stays alive. The path that was
/// written, empty when the person gave up, or why it failed.
Result<QString> exportTo(const ExportDialog& dialog, QWidget* parent);

/// "12:40" as rows 12 to 39 of `count`; either side may be left out.
Result<Range> parseRange(const QString& text, Index count, const QString& name);

}  // namespace vqscope
