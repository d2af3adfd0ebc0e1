// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/status_line.h"

#include "core/base/text.h"
#include "widgets/parts/eliding_label.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QAction>
#include <QLabel>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int leastLine = 22;      // pixels: a message of one line moves nothing
constexpr int leastReadout = 160;  // pixels, beside a message
constexpr int marginOfMessage = 8;
constexpr int lowWindow = 600;

template <class Label>
Label* statusLabel(QWidget* parent) {
  auto* label = new Label(parent);
  label->setFont(scaledFont(uiFont(), 0.92));
  label->setTextFormat(Qt::PlainText);
  label->setProperty("class", "status");  // margins of a label do not survive another style sheet
  return label;
}

QString readoutOf(const CellReport& report) {
  QStringList parts;
  for (const auto& [name, value] : report.facts) parts << text(name) + QLatin1Char(' ') + text(value);
  return parts.join(QStringLiteral("   "));
}

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent),
      m_readout(statusLabel<ElidingLabel>(this)),
      m_message(new MessageBar(this)),
      m_exact(statusLabel<QLabel>(this)),
      m_frame(statusLabel<QLabel>(this)),
      m_bytes(statusLabel<QLabel>(this)),
      m_showFrame(new QAction(tr("Time and memory of each frame"), this)) {
  m_readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_bytes->setToolTip(tr("Memory used for the picture; no matrix is stored"));
  m_frame->setToolTip(tr("Time from a change to the updated picture"));
  setSizeGripEnabled(false);
  setFixedHeight(leastLine);
  addWidget(m_readout, 1);
  connect(m_message, &MessageBar::changed, this, &StatusLine::fitMessage);
  for (auto* label : {m_exact, m_frame, m_bytes}) addPermanentWidget(label);
  m_showFrame->setCheckable(true);
  connect(m_showFrame, &QAction::toggled, this, [this](bool on) {
    for (auto* label : {m_frame, m_bytes}) label->setVisible(on);
    fitMessage();
  });
  for (auto* label : {m_frame, m_bytes}) label->hide();
  addAction(m_showFrame);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  showHint();
}

/// Beside the readout if there is space for both, else in its place, in several lines if need be. It
/// is not in the layout, where its width would be one that the window must have.
void StatusLine::fitMessage() {
  const bool shown = !m_message->isHidden();
  int room = width() - 2 * marginOfMessage;
  for (const auto* label : {m_exact, m_frame, m_bytes})
    if (!label->isHidden()) room -= label->sizeHint().width() + marginOfMessage;
  const int wanted = std::min(m_message->widthOfText(), std::max(1, room));
  const bool beside = !shown || wanted + leastReadout <= room;
  m_readout->setVisible(beside);
  m_readout->setMaximumWidth(shown && beside ? room - wanted - marginOfMessage : QWIDGETSIZE_MAX);
  const int mostLines = window()->height() < lowWindow ? 2 : 4;
  const int needed = shown ? m_message->fit(wanted, mostLines) : 0;
  setFixedHeight(std::max(leastLine, needed + 2));
  m_message->setGeometry(marginOfMessage + room - wanted, (height() - needed) / 2, wanted, needed);
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  QStatusBar::resizeEvent(event);
  fitMessage();
}

void StatusLine::showReadout(const std::optional<Readout>& readout) {
  if (!readout) return showHint();
  m_readout->setText(readoutOf(readout->report));
}

void StatusLine::showHint() {
  m_readout->setText(tr("Point at a map or a curve to read its values; right click for what can be done with it"));
}

void StatusLine::awaitReadout() { m_readout->setText(tr("reading the cell…")); }

void StatusLine::showFrame(const FrameReport& report) {
  m_exact->setText(!report.freshness.isCurrent() ? report.freshness.badge()
                   : report.exact                ? tr("exact")
                                                 : tr("sampled"));
  m_frame->setText(tr("frame %1 ms").arg(report.milliseconds, 0, 'f', 1));
  m_bytes->setText(text(byte_count(report.bytes)));
}

void StatusLine::clearFrame() {
  for (auto* label : {m_exact, m_frame, m_bytes}) label->clear();
}

void StatusLine::setCurrent(bool current) { m_readout->setEnabled(current); }

}  // namespace vqscope
