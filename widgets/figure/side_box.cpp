// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/side_box.h"

#include "core/session/figure/figure_spec.h"
#include "widgets/parts/text.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>

#include <cmath>
#include <utility>

namespace vqscope {
namespace {

/// Whole millimetres as such, else pixels.
QString sideText(double points) {
  if (points == figure_points(one_column_mm)) return SideBox::tr("one column (84 mm)");
  if (points == figure_points(two_columns_mm)) return SideBox::tr("two columns (174 mm)");
  const double millimetres = figure_millimetres(points);
  const bool isWhole = std::abs(millimetres * 2 - std::round(millimetres * 2)) < 1e-6;
  if (isWhole && points != std::round(points)) return QStringLiteral("%1 mm").arg(std::round(millimetres * 2) / 2);
  return QStringLiteral("%1 px").arg(points, 0, 'g', 6);
}

}  // namespace

SideBox::SideBox(const QString& name, const QStringList& usual, QWidget* parent) : QComboBox(parent), m_name(name) {
  setEditable(true);
  setInsertPolicy(QComboBox::NoInsert);
  setCompleter(nullptr);
  lineEdit()->installEventFilter(this);
  addItems(usual);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(10);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QComboBox::editTextChanged, this, [this] {
    mark();
    emit changed();
  });
}

void SideBox::focusInEvent(QFocusEvent* event) {
  QComboBox::focusInEvent(event);
  m_entered = event->reason() == Qt::MouseFocusReason;
}

/// The press has put the cursor somewhere: a part that was dragged over stays selected.
bool SideBox::eventFilter(QObject* watched, QEvent* event) {
  const bool isReleased = event->type() == QEvent::MouseButtonRelease && std::exchange(m_entered, false);
  if (isReleased && !lineEdit()->hasSelectedText())
    QMetaObject::invokeMethod(lineEdit(), &QLineEdit::selectAll, Qt::QueuedConnection);
  return QComboBox::eventFilter(watched, event);
}

/// Typed text that is no size is red.
void SideBox::mark() {
  lineEdit()->setProperty("invalid", findText(currentText()) < 0 && !side());
  lineEdit()->style()->unpolish(lineEdit());
  lineEdit()->style()->polish(lineEdit());
}

void SideBox::setSide(double points) {
  const QSignalBlocker quiet(this);
  setEditText(sideText(points));
  mark();
}

Result<double> SideBox::side() const {
  const QString typed = currentText();
  return read_figure_side(m_name.toStdString(), typed.left(typed.indexOf(QLatin1Char('('))).trimmed().toStdString());
}

}  // namespace vqscope
