// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/parity.h"
#include "widgets/session/field_scheduler.h"

#include <QDialog>
#include <QTimer>

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QTableWidget;

namespace vqscope {

/// Two captures held against each other: the verdict, the first difference, its cause, and how far
/// apart the tensors of each layer are. They are compared on another thread; the first difference is
/// shown as soon as it is found.
class ParityDialog : public QDialog {
  Q_OBJECT
 public:
  ParityDialog(std::shared_ptr<const Capture> a, std::shared_ptr<const Capture> b, QWidget* parent = nullptr);
  ~ParityDialog() override;

  bool isBusy() const { return m_work.isBusy(); }

 signals:
  /// A page to hand over.
  void reportRequested(const vqscope::Parity& parity, const vqscope::Capture& a, const vqscope::Capture& b);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Progress;

  void compare();
  void showProgress();
  void take(const Result<Parity>& parity);
  QString factsText() const;
  void fill();
  /// B - A of the current cell of the table.
  void showMap();
  void colour();

  std::shared_ptr<const Capture> m_a, m_b;
  std::shared_ptr<Progress> m_progress;  ///< shared with the thread that compares
  std::optional<Parity> m_parity;
  QLabel* m_verdict;
  QLabel* m_sentence;
  QLabel* m_facts;
  QTableWidget* m_layers;
  QPushButton* m_map;
  QPushButton* m_copy;
  QPushButton* m_report;
  QTimer m_poll;
  FieldScheduler m_work;
};

}  // namespace vqscope
