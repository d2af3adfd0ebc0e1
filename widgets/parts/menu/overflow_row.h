// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAbstractButton;
class QAction;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace vqscope {

/// A row of widgets in which no button disappears without a mark: where the width ends, buttons
/// move into the menu of a "…" button at the end. The last buttons move first, and before all
/// others those added with `Leaves::first`.
class OverflowRow : public QWidget {
  Q_OBJECT
 public:
  enum class Leaves { last, first };

  explicit OverflowRow(QWidget* parent = nullptr);

  /// For margins and spacing.
  QHBoxLayout* row() const { return m_row; }
  /// A widget that always stays; it may shrink to its minimum size.
  void addFixed(QWidget* widget, int segment = 0);
  void addButton(QAbstractButton* button, Leaves leaves = Leaves::last);
  /// A tool button for the action; the menu shows the action itself.
  QToolButton* addTool(QAction* action, Leaves leaves = Leaves::last);
  /// Whether the button is offered at all, in the row or in the menu.
  void setOffered(QAbstractButton* button, bool offered);

  /// Adds an entry for each offered button that is in the menu, or for all.
  void fillMenu(QMenu& menu, bool all) const;
  QToolButton* moreButton() const { return m_more; }

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  /// The least width of the widgets that always stay.
  virtual int fixedWidth() const;
  /// Called after the buttons have been arranged.
  virtual void onArranged() {}
  /// Decides again which buttons fit.
  void arrange();

 private:
  struct Entry {
    QAbstractButton* button;
    Leaves leaves;
    bool offered = true;
    bool inMenu = false;
  };
  int widthOf(const QWidget& button) const;
  Entry* nextToLeave();

  QHBoxLayout* m_row;
  QToolButton* m_more;
  std::vector<QWidget*> m_fixed;
  std::vector<Entry> m_entries;
  bool m_arranging = false;
};

}  // namespace vqscope
