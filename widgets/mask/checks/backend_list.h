// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/backend.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QToolButton;

namespace vqscope {

/// Every backend with the parts of a mask that it can and cannot express, and a button that copies
/// the code.
class BackendList : public QWidget {
  Q_OBJECT
 public:
  explicit BackendList(QWidget* parent = nullptr);

  /// Empty: no mask, so there is nothing to copy.
  void setMask(std::optional<MaskStructure> structure, const SequenceLayout& layout);
  /// Freshness of the mask: code can be copied only if the mask belongs to the values in the form.
  void setFreshness(const Freshness& freshness) { m_freshness = freshness; }
  bool isBusy() const { return m_copying.isBusy(); }

 signals:
  void copied(const QString& sentence);
  void refused(const QString& sentence);

 private:
  struct Card {
    const Backend* backend;
    QLabel* coverage;
    QLabel* arguments;  ///< the library's window argument, and the alignment of its causal flag
    QToolButton* copy;
  };
  void addCard(const Backend& backend);
  void copy(const Backend& backend);
  void showCard(const Card& card);
  QWidget* makeWindows();
  void showWindows();

  QLabel* m_structure;
  QLabel* m_windowsHeading;
  std::vector<QLabel*> m_arguments;  ///< one for each WindowMeaning
  QWidget* m_windows;
  std::vector<Card> m_cards;
  std::optional<MaskStructure> m_mask;
  SequenceLayout m_layout;
  Freshness m_freshness;
  FieldScheduler m_copying;
};

}  // namespace vqscope
