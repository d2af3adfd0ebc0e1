// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/status_line.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QLabel>

namespace vqscope {
namespace {

QLabel* statusLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setFont(scaledFont(monospaceFont(), 0.9));
  label->setTextFormat(Qt::PlainText);
  label->setContentsMargins(10, 0, 10, 0);
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
      m_readout(statusLabel(this)),
      m_exact(statusLabel(this)),
      m_frame(statusLabel(this)),
      m_bytes(statusLabel(this)) {
  m_readout->setMinimumWidth(1);
  m_readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_bytes->setToolTip(tr("Memory used for the picture; no matrix is stored"));
  m_frame->setToolTip(tr("Time from a change to the updated picture"));
  setSizeGripEnabled(false);
  addWidget(m_readout, 1);
  for (auto* label : {m_exact, m_frame, m_bytes}) addPermanentWidget(label);
}

void StatusLine::showReadout(const std::optional<Readout>& readout) {
  m_readout->setText(readout ? readoutOf(readout->report) : QString());
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
