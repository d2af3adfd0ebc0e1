// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/insight/recognition_panel.h"

#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

/// "(5, 3)", "(7, 2–9)", "query 100 sees no key", each a link.
QString titleOf(const MaskException& each) {
  if (each.sees_nothing) return RecognitionPanel::tr("query %1 sees no key").arg(each.q);
  const QString keys = each.keys.size() == 1 ? QString::number(each.keys.begin)
                                             : QStringLiteral("%1–%2").arg(each.keys.begin).arg(each.keys.end - 1);
  return QStringLiteral("(%1,&nbsp;%2)").arg(QString::number(each.q), keys);
}

QString linksTo(const Recognition& found, const QColor& colour) {
  QStringList links;
  for (const MaskException& each : found.exception_runs)
    links << QStringLiteral("<a style='color:%3' href='%1,%2'>%4</a>")
                 .arg(each.q)
                 .arg(each.keys.begin)
                 .arg(colour.name(), titleOf(each));
  if (!found.has_all_runs) links << QStringLiteral("…");
  return links.join(QStringLiteral(", "));
}

Cell cellOf(const QString& link) {
  return {link.section(QLatin1Char(','), 0, 0).toLongLong(), link.section(QLatin1Char(','), 1, 1).toLongLong()};
}

}  // namespace

RecognitionPanel::RecognitionPanel(QWidget* parent)
    : QWidget(parent),
      m_title(heading({}, this)),
      m_recognise(new QPushButton(tr("What is this mask?"), this)),
      m_sentence(paragraph(this)),
      m_exceptions(paragraph(this)),
      m_use(new QPushButton(tr("Use as text"), this)) {
  m_recognise->setToolTip(tr("Describe the cells in a few words: causal, documents, window, and any exceptions"));
  m_exceptions->setTextFormat(Qt::RichText);
  m_exceptions->setTextInteractionFlags(Qt::TextBrowserInteraction);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  for (QWidget* part :
       {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_recognise), static_cast<QWidget*>(m_sentence),
        static_cast<QWidget*>(m_exceptions), static_cast<QWidget*>(m_use)})
    column->addWidget(part);
  connect(m_recognise, &QPushButton::clicked, this, &RecognitionPanel::recogniseMask);
  connect(m_exceptions, &QLabel::linkActivated, this, [this](const QString& link) { emit cellPicked(cellOf(link)); });
  connect(m_use, &QPushButton::clicked, this, [this] {
    if (!m_freshness.isCurrent()) return emit refused(m_freshness.refusal());
    if (m_found) emit textWanted(Recognition(*m_found));
  });
  showFound();
}

void RecognitionPanel::setTitle(const QString& title) { m_title->setText(title); }

void RecognitionPanel::setMask(std::shared_ptr<const Mask> mask) {
  if (mask == m_mask) return;
  m_mask = std::move(mask);
  m_recognising.stop();
  m_found.reset();
  showFound();
}

void RecognitionPanel::setFreshness(const Freshness& freshness) {
  m_freshness = freshness;
  if (freshness.isOutdated()) m_recogniseWhenCurrent = false;
  if (freshness.isCurrent() && std::exchange(m_recogniseWhenCurrent, false)) recogniseMask();
}

void RecognitionPanel::recogniseMask() {
  if (m_freshness.isOutdated()) return emit refused(m_freshness.refusal());
  m_recogniseWhenCurrent = !m_freshness.isCurrent();
  if (!m_mask || m_recogniseWhenCurrent) return;
  m_found.reset();
  showFound();
  m_sentence->setText(tr("Recognising the mask…"));
  m_sentence->setVisible(true);
  m_recognising.run<Result<Recognition>>(
      [mask = m_mask](const std::stop_token& stop) { return recognise(*mask, {.stop = stop}); },
      [this, mask = m_mask](Result<Recognition> found) {
        if (mask != m_mask) return;
        if (!found) return m_sentence->setText(sentence(found.error().message));
        m_found = std::move(*found);
        showFound();
      });
}

void RecognitionPanel::showFound() {
  m_sentence->setVisible(m_found.has_value());
  m_exceptions->setVisible(m_found && !m_found->exceptions.empty());
  m_use->setVisible(m_found && m_found->fits);
  if (!m_found) return;
  QString description = sentence(m_found->sentence);
  if (!m_found->presets.empty())
    description += QLatin1Char('\n') + tr("Preset: %1.").arg(text(m_found->presets.front().text()));
  m_sentence->setText(description);
  m_exceptions->setText(linksTo(*m_found, palette().color(QPalette::Link)));
  m_use->setToolTip(m_found->exception_count == 0
                        ? tr("Convert the mask to text in the mask language, with the same cells")
                        : tr("Convert the mask to text in the mask language, without the exceptions"));
}

}  // namespace vqscope
