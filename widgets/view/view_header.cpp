// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/view_header.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <span>

namespace vqscope {
namespace {

constexpr int shortTitle = 150;  // pixels: buttons leave before a title is cut to less
constexpr int shortestTitle = 70;
constexpr int leastBadge = 28;
constexpr int leastWord = 44;  ///< pixels of a subtitle
/// Words that begin what a title can do without.
const char* const additions[] = {" by ", " of ", " at ", " in ", " on ", " with ", " against ", " seen "};

}  // namespace

QString pinActionText() { return ViewHeader::tr("Pin this view for a figure\tCtrl+Shift+E"); }

ViewHeader::ViewHeader(QWidget* parent) : OverflowRow(parent) {
  row()->setContentsMargins(12, 6, 8, 2);
  row()->setSpacing(8);
  m_title = new ElidedLabel(this);
  m_title->setTitle();
  QFont bold = m_title->font();
  bold.setWeight(QFont::DemiBold);
  m_title->setFont(bold);
  m_subtitle = new ElidedLabel(this);
  m_subtitle->setGreedy();
  m_subtitle->setColour(&Palette::secondary);
  m_badge = new QLabel(this);
  m_badge->setProperty("class", "badge");
  m_badge->hide();
  addFixed(m_title);
  addFixed(m_subtitle, 1);
  addFixed(m_badge);
}

void ViewHeader::setTitle(const QString& title, const QString& subtitle) {
  m_title->setText(title);
  m_subtitle->setText(subtitle);
  m_title->setToolTip(subtitle.isEmpty() ? title : title + QStringLiteral(" · ") + subtitle);
  arrange();
}

int ViewHeader::leastTitle() const { return std::min(shortTitle, m_title->sizeHint().width()); }

QSize ViewHeader::minimumSizeHint() const {
  QSize least = OverflowRow::minimumSizeHint();
  least.rwidth() -= std::max(0, leastTitle() - shortestTitle);
  return least;
}

/// The badge is counted as a symbol, so that it does not drive buttons into the menu.
int ViewHeader::fixedWidth() const {
  return leastTitle() + 2 * row()->spacing() + (m_badge->isHidden() ? 0 : leastBadge + row()->spacing());
}

QString ViewHeader::title() const { return m_title->text(); }

QString ViewHeader::subtitle() const { return m_subtitle->text(); }

void ViewHeader::setBadge(const QString& text, Look look, const QString& tip) {
  m_badge->setVisible(!text.isEmpty());
  m_badgeText = text;
  m_badgeTip = tip;
  m_look = look;
  const char* const looks[] = {"good", "warning", "quiet"};
  const QString name = QString::fromLatin1(looks[static_cast<int>(look)]);
  if (m_badge->property("look").toString() != name) {
    m_badge->setProperty("look", name);
    m_badge->style()->unpolish(m_badge);
    m_badge->style()->polish(m_badge);
  }
  fitBadge();
}

/// In a narrow header, a symbol replaces a longer badge, so that badge and title stay readable; the
/// tooltip has the text.
void ViewHeader::fitBadge() {
  const QMargins margins = row()->contentsMargins();
  int room = width() - margins.left() - margins.right() - leastTitle();
  for (const auto* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
    if (!button->isHidden()) room -= button->sizeHint().width() + row()->spacing();
  // Measured without setting the text: each new text of a label requests another layout, which
  // comes here again.
  const QFontMetrics metrics = m_badge->fontMetrics();
  const int whole =
      m_badge->sizeHint().width() + metrics.horizontalAdvance(m_badgeText) - metrics.horizontalAdvance(m_badge->text());
  const bool fits = whole + 2 * row()->spacing() <= room;
  const bool marked = m_sized && !fits && !m_badge->isHidden();
  const char* const marks[] = {"✓", "!", "↻"};
  m_badge->setText(marked ? QString::fromUtf8(marks[static_cast<int>(m_look)]) : m_badgeText);
  QString tip = m_badgeTip;
  if (marked) tip = m_badgeTip.isEmpty() ? m_badgeText : m_badgeText + QStringLiteral(": ") + m_badgeTip;
  m_badge->setToolTip(tip);
}

void ViewHeader::setBadge(const Freshness& freshness) {
  if (freshness.isOutdated())
    return setBadge(freshness.badge(), Look::warning,
                    freshness.brief.isEmpty() ? freshness.banner() : freshness.refusal());
  setBadge(freshness.badge(), Look::quiet, tr("The view shows the result of the previous values until then"));
}

QToolButton* ViewHeader::addButton(const char* iconName, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setAutoRaise(true);
  OverflowRow::addButton(button);
  return button;
}

void ViewHeader::addAction(QAction* action) { addTool(action, Leaves::first); }

void ViewHeader::resizeEvent(QResizeEvent* event) {
  m_sized = true;
  OverflowRow::resizeEvent(event);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString& text) {
  if (text == m_text) return;
  m_text = text;
  setToolTip(text);
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setGreedy() {
  m_greedy = true;
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QSize ElidedLabel::sizeHint() const {
  return {m_greedy ? 0 : fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const { return {m_greedy ? 0 : 20, fontMetrics().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(currentPalette().*m_colour);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shownText(width()));
}

QString ElidedLabel::shownText(int room) const {
  const QFontMetrics metrics = fontMetrics();
  if (metrics.horizontalAdvance(m_text) <= room) return m_text;
  if (m_greedy) return room < leastWord ? QString() : metrics.elidedText(m_text, Qt::ElideRight, room);
  QString longest;
  for (const char* addition : m_isTitle ? std::span(additions) : std::span<const char* const>())
    for (qsizetype at = m_text.indexOf(QLatin1String(addition)); at > 0;
         at = m_text.indexOf(QLatin1String(addition), at + 1))
      if (at > longest.size() && metrics.horizontalAdvance(m_text.left(at)) <= room) longest = m_text.left(at);
  // Of "with keys · Row profile" the end is the name.
  const QString end = m_isTitle ? m_text.section(QStringLiteral(" · "), -1) : m_text;
  if (longest.isEmpty() && metrics.horizontalAdvance(end) <= room) return end;
  return longest.isEmpty() ? metrics.elidedText(m_text, Qt::ElideRight, room) : longest;
}

}  // namespace vqscope
