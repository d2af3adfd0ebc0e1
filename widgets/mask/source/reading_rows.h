// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/mask/source/batch_overview.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace vqscope {

class SampleStrip;

/// How the file of a mask is read: as what, with which threshold, and of several masks which one,
/// with a strip of all.
class ReadingRows : public QWidget {
  Q_OBJECT
 public:
  explicit ReadingRows(QWidget* parent = nullptr);

  struct Content {
    BatchOverview overview = {};
    std::optional<double> threshold = {};
    bool has_two_readings = false;
    bool as_mask = false;
    Index samples = 0;  ///< with two readings, of the attention mask
    Index queries = 0;  ///< with two readings, of the mask
  };
  /// Hidden without anything to choose.
  void show(const Content& content);

 signals:
  void sampleChosen(vqscope::Index sample, vqscope::Index head);
  void thresholdChosen(double threshold);
  void readingChosen(bool asMask);

 private:
  QSpinBox* addPlane(const QString& title);
  void showPlane(QSpinBox* box, Index now, Index count);
  void showReadings(const Content& content);

  QFormLayout* m_rows;
  QComboBox* m_as;
  QSpinBox* m_sample;
  QSpinBox* m_head;
  QDoubleSpinBox* m_threshold;
  SampleStrip* m_strip;
  std::shared_ptr<const BatchLooks> m_looks;  ///< that the strip shows
};

}  // namespace vqscope
