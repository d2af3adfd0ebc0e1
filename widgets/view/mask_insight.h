// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vqscope {

/// What a mask as a whole is: how it differs from the one it is compared to, counted off this thread, and, when asked,
/// what its cells are in few words. Hidden where no mask is shown.
class MaskInsight : public QWidget {
  Q_OBJECT
 public:
  explicit MaskInsight(QWidget* parent = nullptr);

  /// `second`: what it is compared to, or nothing.
  void setMasks(std::shared_ptr<const Mask> mask, std::shared_ptr<const Mask> second);
  bool isBusy() const { return m_comparing.isBusy() || m_recognising.isBusy(); }

  void recogniseMask();
  void goToFirstDifference();

 signals:
  void cellPicked(vqscope::Cell cell);
  /// What was recognised is wanted as the mask's text.
  void textWanted(const vqscope::Recognition& found);
  void said(const QString& sentence, bool bad);

 private:
  void compare();
  void showDifference();
  void showRecognition();

  std::shared_ptr<const Mask> m_mask;
  std::shared_ptr<const Mask> m_second;
  std::optional<Result<MaskComparison>> m_difference;
  std::optional<Recognition> m_found;
  bool m_goWhenCompared = false;
  FieldScheduler m_comparing;
  FieldScheduler m_recognising;
  QWidget* m_comparison;
  QLabel* m_counts;
  QPushButton* m_go;
  QLabel* m_which;
  QPushButton* m_ask;
  QLabel* m_sentence;
  QLabel* m_exceptions;
  QPushButton* m_use;
};

}  // namespace vqscope
