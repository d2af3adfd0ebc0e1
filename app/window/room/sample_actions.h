// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/mask/source/batch_overview.h"
#include "widgets/page/page_widget.h"

#include <QObject>

#include <optional>

class QAction;

namespace vqscope {

class PageStack;

/// Goes from one sample or head of a file of masks to another, with the keyboard or to a cell that a
/// search or a finding names.
class SampleActions : public QObject {
  Q_OBJECT
 public:
  SampleActions(PageStack& pages, QObject* parent);

  /// Previous and next sample, previous and next head.
  QList<QAction*> actions() const { return m_actions; }
  /// The samples of the file that the page shows one of.
  void setBatch(const BatchOverview& batch);
  /// Shows a sample and head and picks the cell once its mask is on the page; then says the notice.
  void goTo(Index sample, Index head, const std::optional<Cell>& cell, const QString& notice = {});
 signals:
  void cellRequested(const vqscope::Cell& cell);

 private:
  void step(Index samples, Index heads);
  /// The page has another mask.
  void onAnswered();

  PageStack& m_pages;
  BatchOverview m_batch;
  QList<QAction*> m_actions;
  /// A cell of a mask that is not on the page yet.
  struct Awaited {
    Index sample = 0;
    Index head = 0;
    Cell cell;
  };
  std::optional<Awaited> m_awaited;
};

}  // namespace vqscope
