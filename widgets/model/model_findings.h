// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "core/schedule/finding/schedule_findings.h"

#include <QFrame>

class QVBoxLayout;

namespace vqscope {

/// Findings on a model as cards, the worst first: those of its layers, then those of its config.
class ModelFindings : public QWidget {
  Q_OBJECT
 public:
  explicit ModelFindings(QWidget* parent = nullptr);

  void setFindings(const std::vector<ScheduleFinding>& layers, const std::vector<ConfigFinding>& config);
  int count() const { return m_count; }

 signals:
  /// A card with a place was clicked.
  void picked(const vqscope::ScheduleFinding& finding);

 private:
  QVBoxLayout* m_cards;
  int m_count = 0;
};

/// One finding: severity and title, then a sentence. A click, Enter or space goes to its place.
class FindingCard : public QFrame {
  Q_OBJECT
 public:
  enum class Look { error, warning, note };
  FindingCard(Look look, const QString& title, const QString& sentence, bool hasPlace, QWidget* parent);

 signals:
  void picked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool m_hasPlace;
};

}  // namespace vqscope
