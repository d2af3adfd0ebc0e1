// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/wrapping_button.h"

#include <QStringList>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int mostLines = 3;

/// Within a word that is longer than a line, too.
QTextOption anywhere() {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  return option;
}

}  // namespace

WrappingButton::WrappingButton(const QString& text, QWidget* parent) : QPushButton(text, parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred, QSizePolicy::PushButton);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

/// Of the frame and the space around the text.
int WrappingButton::padding() const { return sizeHint().width() - fontMetrics().horizontalAdvance(text()); }

QString WrappingButton::shownText(int width) const {
  const int space = std::max(1, width - padding());
  if (fontMetrics().horizontalAdvance(text()) <= space) return text();
  // "window = 129" stays together.
  const QString whole = QString(text()).replace(QStringLiteral(" = "), QStringLiteral("\u00a0=\u00a0"));
  QTextLayout layout(whole, font());
  layout.setTextOption(anywhere());
  QStringList lines;
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(space);
    const bool last = lines.size() + 1 == mostLines;
    const QString rest = whole.mid(line.textStart(), last ? -1 : line.textLength()).trimmed();
    lines << (last ? fontMetrics().elidedText(rest, Qt::ElideRight, space) : rest);
    if (last) break;
  }
  layout.endLayout();
  return lines.join(QLatin1Char('\n'));
}

int WrappingButton::heightForWidth(int width) const {
  const auto more = shownText(width).count(QLatin1Char('\n'));
  return sizeHint().height() + static_cast<int>(more) * fontMetrics().lineSpacing();
}

QSize WrappingButton::minimumSizeHint() const { return {padding(), sizeHint().height()}; }

void WrappingButton::paintEvent(QPaintEvent*) {
  QStyleOptionButton option;
  initStyleOption(&option);
  option.text = shownText(width());
  QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
}

}  // namespace vqscope
