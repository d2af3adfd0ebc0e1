// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exporter.h"
#include "widgets/page/page_widget.h"
#include "widgets/session/field_scheduler.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace vqscope {

/// The last choices, used as the initial choices of the next export.
struct ExportChoices {
  QString format = QStringLiteral("png");
  int dpi = FigureSpec().dpi;
  QString folder;  ///< empty: the current directory
};

/// Chooses picture, format and part of an export, and shows the size of the file in advance. A
/// matrix is computed off the GUI thread; until it exists, only the whole matrix can be exported.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  ExportDialog(const std::vector<ExportTarget>& targets, std::size_t selected, const ShownPage& look,
               const ExportChoices& choices, QWidget* parent);

  /// Texts for the axes of figures.
  void setTokens(TokenTexts texts) { m_tokens = std::move(texts); }
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
  ShownPage m_look;
  TokenTexts m_tokens;
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
  std::shared_ptr<const Field> m_field;  ///< field of the target; null: curves, being computed, or refused
  QString m_refusal;                     ///< why there is no field
};

/// Asks for the path and writes the file with a progress bar that can cancel; the parent's window
/// stays responsive. Returns the path, empty if cancelled, or the error.
Result<QString> exportTo(const ExportDialog& dialog, QWidget* parent);

/// "12:40" as rows 12 to 39 of `count`; either side may be left out.
Result<Range> parseRange(const QString& text, Index count, const QString& name);

}  // namespace vqscope
