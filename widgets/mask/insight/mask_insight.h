// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_difference.h"
#include "widgets/mask/insight/recognition_panel.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vqscope {

/// Describes a whole mask: its differences from the second mask, counted in the background, and on
/// request a short description of the cells of either mask. Hidden if no mask is shown.
class MaskInsight : public QWidget {
  Q_OBJECT
 public:
  explicit MaskInsight(QWidget* parent = nullptr);

  /// `second`: the mask to compare with, or null.
  void setMasks(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second);
  /// Freshness of both masks against the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const { return m_comparing.isBusy() || m_panelA->isBusy() || m_panelB->isBusy(); }

  /// Describes A and, if there is one, B. This and the next function wait for masks that are being
  /// computed, and are refused if no mask will come.
  void recogniseMasks();
  void goToFirstDifference();

 signals:
  void cellPicked(vqscope::Cell cell);
  /// Emitted to use the recognised text for the mask, or for the second mask.
  void textWanted(const vqscope::Recognition& found, bool second);
  void notified(const QString& sentence, bool bad);

 private:
  void compare();
  void showDifference();
  RecognitionPanel* addPanel(bool second);

  std::shared_ptr<const Mask> m_mask;
  std::shared_ptr<const Mask> m_second;
  std::optional<Result<MaskComparison>> m_difference;
  QString m_relation;  ///< "B is A with a window of 129"; may be empty
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
