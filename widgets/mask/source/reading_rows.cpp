// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/source/reading_rows.h"

#include "widgets/mask/source/sample_strip.h"
#include "widgets/parts/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

/// Accepts numbers such as 1e-5 and -1e9, and shows each with as many digits as it needs.
class ThresholdBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  QString textFromValue(double value) const override { return QString::number(value, 'g', 8); }
};

}  // namespace

ReadingRows::ReadingRows(QWidget* parent)
    : QWidget(parent),
      m_rows(new QFormLayout),
      m_as(new QComboBox(this)),
      m_sample(addPlane(QStringLiteral("batch"))),
      m_head(addPlane(QStringLiteral("head"))),
      m_threshold(new ThresholdBox(this)),
      m_strip(new SampleStrip(this)) {
  m_rows->setContentsMargins(0, 0, 0, 0);
  m_as->setObjectName(QStringLiteral("readAs"));
  m_as->setToolTip(
      tr("What the rows of the file are: the samples of an attention_mask, 1 for a real token and 0 for "
         "padding, or the queries of one mask"));
  m_as->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_as->setMinimumContentsLength(16);
  m_rows->insertRow(0, tr("read as"), m_as);
  connect(m_as, &QComboBox::activated, this, [this](int index) { emit readingChosen(index == 1); });
  m_threshold->setRange(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  m_threshold->setDecimals(6);
  m_threshold->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  m_threshold->setKeyboardTracking(false);
  m_threshold->setToolTip(tr("Cells with a value above the threshold are visible"));
  m_threshold->setObjectName(QStringLiteral("threshold"));
  m_rows->addRow(tr("threshold"), m_threshold);
  connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &ReadingRows::thresholdChosen);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(m_rows);
  column->addWidget(m_strip);
  connect(m_strip, &SampleStrip::picked, this, &ReadingRows::sampleChosen);
  show(Content());
}

QSpinBox* ReadingRows::addPlane(const QString& title) {
  auto* box = new QSpinBox(this);
  box->setKeyboardTracking(false);
  box->setObjectName(title);
  m_rows->addRow(title, box);
  connect(box, &QSpinBox::valueChanged, this, [this] { emit sampleChosen(m_sample->value(), m_head->value()); });
  return box;
}

void ReadingRows::showPlane(QSpinBox* box, Index now, Index count) {
  const QSignalBlocker blocker(box);
  m_rows->setRowVisible(box, count > 1);
  box->setRange(0, static_cast<int>(std::min<Index>(count - 1, std::numeric_limits<int>::max())));
  box->setToolTip(tr("0 to %1").arg(box->maximum()));
  box->setValue(static_cast<int>(now));
}

void ReadingRows::showReadings(const Content& content) {
  m_rows->setRowVisible(m_as, content.has_two_readings);
  if (!content.has_two_readings) return;
  m_as->clear();
  m_as->addItem(tr("attention_mask of %1").arg(counted(content.samples, tr("sample"), tr("samples"))));
  m_as->addItem(tr("mask of %1").arg(counted(content.queries, tr("query"), tr("queries"))));
  m_as->setCurrentIndex(content.as_mask ? 1 : 0);
}

void ReadingRows::show(const Content& content) {
  const BatchOverview& batch = content.overview;
  showReadings(content);
  showPlane(m_sample, batch.sample, batch.samples);
  showPlane(m_head, batch.head, batch.heads);
  const bool several = batch.samples * batch.heads > 1;
  m_strip->setVisible(several);
  if (m_looks != batch.looks || !m_looks)
    m_strip->setSamples(batch.samples, batch.heads, batch.looks ? batch.looks->all : std::vector<BatchLook>());
  m_looks = batch.looks;
  m_strip->setCurrent(batch.sample, batch.head);
  m_rows->setRowVisible(m_threshold, content.threshold.has_value());
  const QSignalBlocker blocker(m_threshold);
  if (content.threshold) m_threshold->setValue(*content.threshold);
  setVisible(several || content.threshold || content.has_two_readings);
}

}  // namespace vqscope
