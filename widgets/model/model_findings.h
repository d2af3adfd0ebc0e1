// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "core/schedule/finding/findings.h"

#include <QFrame>

#include <optional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace vqscope {

/// One finding: severity and title, then a sentence. A click, Enter or space goes to its place.
class FindingCard : public QFrame {
  Q_OBJECT
 public:
  enum class Look { error, warning, note };
  struct Content {
    Look look = Look::note;
    QString title;
    QString sentence;
    std::optional<ScheduleFinding> place = {};  ///< nothing to go to: of a config
  };
  explicit FindingCard(QWidget* parent);

  void setContent(const Content& content);

 signals:
  void picked(const vqscope::ScheduleFinding& finding);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Content m_content;
  QLabel* m_head;
  QLabel* m_body;
};

/// Findings on a model as cards, the worst first: those of its layers, then those of its config.
class ModelFindings : public QWidget {
  Q_OBJECT
 public:
  explicit ModelFindings(QWidget* parent = nullptr);

  /// Cards are kept and refilled: while a slider moves only their words change.
  void setFindings(const std::vector<ScheduleFinding>& layers, const std::vector<ConfigFinding>& config);

 signals:
  /// A card with a place was clicked.
  void picked(const vqscope::ScheduleFinding& finding);

 private:
  QVBoxLayout* m_layout;
  QLabel* m_none;
  std::vector<FindingCard*> m_cards;
};

}  // namespace vqscope
