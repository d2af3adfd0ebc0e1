// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/recognise.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace vqscope {

/// A short description of the cells of one mask, on request, with links to its exceptions.
class RecognitionPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RecognitionPanel(QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Discards the description of another mask.
  void setMask(std::shared_ptr<const Mask> mask);
  /// Freshness of the mask against the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const { return m_recognising.isBusy(); }

  /// Waits for a mask that is being computed; refused if none will come.
  void recogniseMask();

 signals:
  void refused(const QString& sentence);
  void cellPicked(vqscope::Cell cell);
  /// Emitted to use the recognised text as the mask's text.
  void textWanted(const vqscope::Recognition& found);

 private:
  void showFound();

  std::shared_ptr<const Mask> m_mask;
  std::optional<Recognition> m_found;
  Freshness m_freshness;
  bool m_recogniseWhenCurrent = false;
  FieldScheduler m_recognising;
  QLabel* m_title;
  QPushButton* m_recognise;
  QLabel* m_sentence;
  QLabel* m_exceptions;
  QPushButton* m_use;
};

}  // namespace vqscope
