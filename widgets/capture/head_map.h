// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/heads/captured_heads.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;
class QTableWidget;

namespace vqscope {

/// What each head of a capture is for: sentences, and a map of layers and heads with a letter and a
/// colour for each role. The numbers of the current head are below it.
class HeadMap : public QWidget {
  Q_OBJECT
 public:
  explicit HeadMap(std::shared_ptr<const Capture> capture, QWidget* parent = nullptr);

  /// Reads the weights, once.
  void read();
  bool isBusy() const { return m_work.isBusy(); }

 signals:
  /// By a double click or Return.
  void headChosen(vqscope::Index layer, vqscope::Index head);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void take(const Result<CapturedHeads>& heads);
  void fill();
  void colour();
  void showCurrent();
  void copyNumbers();

  std::shared_ptr<const Capture> m_capture;
  CapturedHeads m_heads;
  bool m_isRequested = false;
  QLabel* m_sentences;
  QTableWidget* m_map;
  QLabel* m_current;
  QPushButton* m_copy;
  FieldScheduler m_work;
};

}  // namespace vqscope
