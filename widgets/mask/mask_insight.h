// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_difference.h"
#include "widgets/mask/recognition_panel.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vqscope {

/// What a mask as a whole is: how it differs from the one it is compared to, counted off this thread, and, when asked,
/// what the cells of either are in few words. Hidden where no mask is shown.
class MaskInsight : public QWidget {
  Q_OBJECT
 public:
  explicit MaskInsight(QWidget* parent = nullptr);

  /// `second`: what it is compared to, or nothing.
  void setMasks(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second);
  /// Of both, against the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const { return m_comparing.isBusy() || m_panelA->isBusy() || m_panelB->isBusy(); }

  /// Of A and, where there is one, of B. Like the next, of masks that are still being computed when they are there, and
  /// refused where none come.
  void recogniseMasks();
  void goToFirstDifference();

 signals:
  void cellPicked(vqscope::Cell cell);
  /// What was recognised is wanted as the text of the mask, or of the second one.
  void textWanted(const vqscope::Recognition& found, bool second);
  void said(const QString& sentence, bool bad);

 private:
  void compare();
  void showDifference();
  RecognitionPanel* addPanel(bool second);

  std::shared_ptr<const Mask> m_mask;
  std::shared_ptr<const Mask> m_second;
  std::optional<Result<MaskComparison>> m_difference;
  Freshness m_freshness;
  bool m_goWhenCurrent = false;
  bool m_goWhenCompared = false;
  FieldScheduler m_comparing;
  QWidget* m_comparison;
  QLabel* m_counts;
  QPushButton* m_go;
  RecognitionPanel* m_panelA;
  RecognitionPanel* m_panelB;
};

}  // namespace vqscope
