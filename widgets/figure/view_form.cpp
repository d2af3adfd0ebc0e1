// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/view_form.h"

#include "core/field/tile_grid.h"
#include "core/method/curve_set.h"
#include "widgets/parts/text.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalBlocker>

namespace vqscope {
namespace {

QString rangeText(const Range& range) { return QStringLiteral("%1:%2").arg(range.begin).arg(range.end); }

/// The titles of the axes that the view has by itself: horizontal and vertical.
std::pair<QString, QString> axisTitlesOf(const FigureView& view) {
  if (const auto* field = view.panel.method->field()) return {text(field->col_title), text(field->row_title)};
  const auto& curves = view.panel.made.curves;
  return curves ? std::pair{text(curves->x_title), text(curves->y_title)} : std::pair{QString(), QString()};
}

/// Typed text stays as it is.
void setWords(QLineEdit& edit, const std::string& words) {
  if (edit.text() != text(words)) edit.setText(text(words));
}

}  // namespace

ViewForm::ViewForm(QWidget* parent)
    : QWidget(parent),
      m_title(new QLineEdit(this)),
      m_x(new QLineEdit(this)),
      m_y(new QLineEdit(this)),
      m_whole(new QRadioButton(tr("whole"), this)),
      m_visible(new QRadioButton(tr("visible range"), this)),
      m_block(new QRadioButton(tr("rows × columns"), this)),
      m_rows(new QLineEdit(this)),
      m_cols(new QLineEdit(this)) {
  const std::pair<QLineEdit*, QString> lines[] = {{m_title, tr("Title")},
                                                  {m_x, tr("Horizontal axis")},
                                                  {m_y, tr("Vertical axis")},
                                                  {m_rows, tr("Rows")},
                                                  {m_cols, tr("Columns")}};
  for (const auto& [edit, name] : lines) {
    edit->setAccessibleName(name);
    edit->setMaxLength(longestLabel);
    connect(edit, &QLineEdit::textChanged, this, &ViewForm::changed);
  }
  auto* block = new QHBoxLayout;
  block->addWidget(m_rows);
  block->addWidget(new QLabel(QStringLiteral("×"), this));
  block->addWidget(m_cols);
  auto* part = new QVBoxLayout;
  part->setSpacing(4);
  for (auto* button : {m_whole, m_visible, m_block}) {
    part->addWidget(button);
    connect(button, &QRadioButton::toggled, this, [this](bool on) {
      if (on) emit changed();
    });
  }
  part->addLayout(block);
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->addRow(tr("Title"), m_title);
  form->addRow(tr("Horizontal"), m_x);
  form->addRow(tr("Vertical"), m_y);
  form->addRow(tr("Part"), part);
}

void ViewForm::show(const FigureView& view) {
  const QSignalBlocker quiet(this);
  const auto [x, y] = axisTitlesOf(view);
  m_title->setPlaceholderText(ownTitleOf(view));
  m_x->setPlaceholderText(x);
  m_y->setPlaceholderText(y);
  setWords(*m_title, view.panel.labels.title);
  setWords(*m_x, view.panel.labels.x);
  setWords(*m_y, view.panel.labels.y);
  showPart(view);
}

/// Parts of a matrix can be chosen once it exists.
void ViewForm::showPart(const FigureView& view) {
  const auto& field = view.panel.made.field;
  m_visible->setEnabled(field && view.visible);
  m_block->setEnabled(field != nullptr);
  const FigurePart part = field ? view.part : FigurePart::whole;
  (part == FigurePart::block ? m_block : part == FigurePart::visible ? m_visible : m_whole)->setChecked(true);
  QString rows = view.rows;
  QString cols = view.cols;
  if (field && rows.isEmpty() && cols.isEmpty()) {
    const Extent extent = field->extent();
    const ViewRange range =
        view.visible.value_or(ViewRange{0, static_cast<double>(extent.rows), 0, static_cast<double>(extent.cols)});
    rows = rangeText(cells_in(range.row_first, range.row_last, extent.rows));
    cols = rangeText(cells_in(range.col_first, range.col_last, extent.cols));
  }
  setWords(*m_rows, rows.toStdString());
  setWords(*m_cols, cols.toStdString());
  for (auto* edit : {m_rows, m_cols}) edit->setEnabled(part == FigurePart::block);
}

void ViewForm::fill(FigureView& view) const {
  view.panel.labels = {m_title->text().toStdString(), m_x->text().toStdString(), m_y->text().toStdString()};
  view.part = m_block->isChecked()     ? FigurePart::block
              : m_visible->isChecked() ? FigurePart::visible
                                       : FigurePart::whole;
  view.rows = m_rows->text();
  view.cols = m_cols->text();
}

}  // namespace vqscope
