// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "widgets/mask/editor/code_view.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vqscope {

/// The text of the mask on the page as an editor as high as the window: CodeView with whole messages
/// below it, and a button that mends a finding.
class MaskEditor : public QWidget {
  Q_OBJECT
 public:
  explicit MaskEditor(QWidget* parent = nullptr);

  /// The editor of the form whose text is shown; null: the mask has no text.
  void follow(MaskTextEdit* edit, const QString& title, const QString& preset = {});
  /// The mask on the page and the picked cell, whose values stand behind the lines. `isOfText`: the mask
  /// is that of the text as it is now.
  void setMask(std::shared_ptr<const Mask> mask, bool isOfText = true);
  void setCell(Cell cell);
  void setFix(const std::optional<TextFix>& fix);
  CodeView* code() const { return m_code; }

 signals:
  void termPointed(const std::optional<std::size_t>& term);
  void fixChosen();
  /// Emitted to make the mask an editable text.
  void textRequested();

 private:
  void showNotes();
  void showMessages();

  std::shared_ptr<const Mask> m_mask;
  Cell m_cell;
  std::optional<TextFix> m_found;  ///< the last fix, also while its text is not shown
  QLabel* m_title;
  QLabel* m_where;
  CodeView* m_code;
  QLabel* m_messages;
  QPushButton* m_fix;
  QPushButton* m_makeText;
};

}  // namespace vqscope
