// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/editor/mask_editor.h"

#include "widgets/form/control/mask_text_edit.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t mostMessages = 5;

/// "✕ Line 3, column 2: …" with a link to the place.
QString messageOf(const SourceError& error, bool isError) {
  const Palette& colours = currentPalette();
  const QColor colour = isError ? colours.error : colours.warning;
  return QStringLiteral("<span style='color:%1'>%2</span> <a style='color:%1' href='%3,%4'>%5</a>: %6")
      .arg(colour.name(), isError ? QStringLiteral("✕") : QStringLiteral("▲"))
      .arg(error.line)
      .arg(error.column)
      .arg(MaskEditor::tr("Line %1, column %2").arg(error.line).arg(error.column), text(error.message).toHtmlEscaped());
}

}  // namespace

MaskEditor::MaskEditor(QWidget* parent)
    : QWidget(parent),
      m_title(heading(tr("Mask text"), this)),
      m_where(new QLabel(this)),
      m_code(new CodeView(this)),
      m_messages(new QLabel(this)),
      m_fix(new QPushButton(this)),
      m_makeText(new QPushButton(tr("Edit the mask as text"), this)) {
  auto* top = new QHBoxLayout;
  top->setContentsMargins(10, 12, 10, 0);
  top->addWidget(m_title);
  top->addStretch(1);
  top->addWidget(m_where);
  m_where->setProperty("class", "secondary");
  m_messages->setWordWrap(true);
  m_messages->setTextFormat(Qt::RichText);
  m_messages->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::TextSelectableByMouse);
  m_messages->setContentsMargins(10, 4, 10, 4);
  connect(m_messages, &QLabel::linkActivated, this, [this](const QString& place) {
    m_code->goTo(place.section(QLatin1Char(','), 0, 0).toInt(), place.section(QLatin1Char(','), 1).toInt());
  });
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(10, 0, 10, 8);
  buttons->addWidget(m_fix);
  buttons->addWidget(m_makeText);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(top);
  column->addWidget(m_code, 1);
  column->addWidget(m_messages);
  column->addLayout(buttons);
  connect(m_code, &CodeView::termPointed, this, &MaskEditor::termPointed);
  connect(m_code, &CodeView::reviewed, this, &MaskEditor::showMessages);
  connect(m_fix, &QPushButton::clicked, this, &MaskEditor::fixChosen);
  connect(m_makeText, &QPushButton::clicked, this, &MaskEditor::textRequested);
  follow(nullptr, {});
}

void MaskEditor::follow(MaskTextEdit* edit, const QString& title, const QString& preset) {
  m_title->setText(title.isEmpty() ? tr("Mask text") : title);
  m_code->setOther(preset);
  m_code->follow(edit);
  m_code->setFix(m_found);
  m_makeText->setVisible(!edit);
  m_code->setPlaceholderText(edit ? QString() : tr("This mask is a file: it has no text to edit."));
  showNotes();
  showMessages();
}

void MaskEditor::setFix(const std::optional<TextFix>& fix) {
  m_found = fix;
  m_code->setFix(fix);
}

void MaskEditor::setMask(std::shared_ptr<const Mask> mask, bool isOfText) {
  m_mask = std::move(mask);
  if (isOfText) m_code->takeNotedText();
  showNotes();
}

void MaskEditor::setCell(Cell cell) {
  if (cell == m_cell) return;
  m_cell = cell;
  showNotes();
}

void MaskEditor::showNotes() {
  const bool has = m_mask && m_code->edit() && isIn(m_cell, m_mask->extent());
  m_where->setText(has ? tr("query %1, key %2").arg(m_cell.row).arg(m_cell.col) : QString());
  m_code->setNotes(has ? m_mask->text_notes(m_cell.row, m_cell.col) : TextNotes(),
                   has ? m_mask->terms() : std::vector<std::string>());
}

/// Whole, however long they are.
void MaskEditor::showMessages() {
  QStringList lines;
  if (const auto* edit = m_code->edit()) {
    const auto& [error, warnings] = edit->review();
    if (error) lines << messageOf(*error, true);
    for (std::size_t i = 0; i < std::min(warnings.size(), mostMessages); ++i) lines << messageOf(warnings[i], false);
  }
  const auto& fix = m_code->fix();
  if (fix)
    lines << messageOf({.line = fix->line, .column = fix->column, .message = sentence(fix->sentence).toStdString()},
                       false);
  m_messages->setText(lines.join(QStringLiteral("<br>")));
  m_messages->setVisible(!lines.isEmpty());
  m_fix->setVisible(fix.has_value());
  if (!fix) return;
  m_fix->setText(tr("Fix: %1").arg(text(fix->fix)));
  m_fix->setToolTip(tr("Line %1: write %2 in place of %3").arg(fix->line).arg(text(fix->fix), text(fix->found)));
}

}  // namespace vqscope
