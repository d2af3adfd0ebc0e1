// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/figure/figure_view.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QMenu;
class QPushButton;
class QToolButton;

namespace vqscope {

/// The views of a figure in their order: those with a tick are its panels. Views that are added are
/// pinned: the session keeps them.
class PanelList : public QWidget {
  Q_OBJECT
 public:
  explicit PanelList(QWidget* parent = nullptr);

  /// Before they are shown.
  void setViews(std::vector<FigureView> views);
  /// Views that can be added, by page.
  void setOffers(const std::vector<FigureOffer>& offers);

  /// The views with a tick, in the order of the list; they keep their number while others come and go.
  std::vector<std::size_t> chosen() const;
  std::optional<std::size_t> selected() const;
  const FigureView& view(std::size_t number) const { return m_views[number]; }
  void setView(std::size_t number, FigureView view);
  std::vector<PinnedView> pins() const;

 signals:
  /// Which views are panels, or their order.
  void changed();
  /// The title of a view was typed in the list.
  void renamed();
  void selectionChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLayout* makeButtons();
  void addItem(std::size_t number);
  void add(FigureView view);
  void remove();
  void move(int step);
  void take(QListWidgetItem* item);
  void showName(QListWidgetItem& item);
  void showButtons();
  void fitHeight();
  std::size_t numberOf(const QListWidgetItem& item) const;

  std::vector<FigureView> m_views;
  QListWidget* m_list;
  QMenu* m_offers;
  QPushButton* m_add;
  QToolButton* m_up;
  QToolButton* m_down;
  QPushButton* m_remove;
  QLabel* m_hint;  ///< while no view is pinned
};

}  // namespace vqscope
