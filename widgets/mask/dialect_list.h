// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/dialect.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QToolButton;

namespace vqscope {

/// Every dialect with what it can and cannot say of a mask, and a button that copies the code for it.
class DialectList : public QWidget {
  Q_OBJECT
 public:
  explicit DialectList(QWidget* parent = nullptr);

  /// Nothing: no mask, so there is nothing to copy.
  void setMask(std::optional<MaskStructure> structure, const SequenceLayout& layout);
  /// Of the mask, against the values in the form: code is copied of a current one alone.
  void setFreshness(const Freshness& freshness) { m_freshness = freshness; }
  bool isBusy() const { return m_copying.isBusy(); }

 signals:
  void copied(const QString& sentence);
  void refused(const QString& sentence);

 private:
  struct Card {
    const Dialect* dialect;
    QLabel* coverage;
    QLabel* arguments;  ///< the window's number, and where a causal flag lines up
    QToolButton* copy;
  };
  void addCard(const Dialect& dialect);
  void copy(const Dialect& dialect);
  void showCard(const Card& card);
  QWidget* makeWindows();
  void showWindows();

  QLabel* m_structure;
  QLabel* m_windowsHeading;
  std::vector<QLabel*> m_arguments;  ///< one a WindowMeaning
  QWidget* m_windows;
  std::vector<Card> m_cards;
  std::optional<MaskStructure> m_mask;
  SequenceLayout m_layout;
  Freshness m_freshness;
  FieldScheduler m_copying;
};

}  // namespace vqscope
