// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <QTableView>

#include <functional>

namespace vqscope {

class CurveTableModel;

/// All numbers of the curves as tab-separated text with a line of titles, in full precision.
QString curvesAsText(const CurveSet& curves);
/// Actions that copy all numbers as Markdown, LaTeX and CSV.
QList<QAction*> curveCopyActions(QObject* owner, const std::function<const CurveSet&()>& curves);

/// A table of curves: x, one column for each curve, and columns of published values, named as such.
/// Copies the selection as tab-separated text for spreadsheets.
class CurveTable : public QTableView {
  Q_OBJECT
 public:
  explicit CurveTable(QWidget* parent = nullptr);

  void setCurves(const CurveSet& curves);
  /// The selected rectangle with its headers; nothing if no cell is selected.
  QString selectedText() const;
  /// All rows and columns, and those of the current cell.
  QString allText() const;
  QString rowText() const;
  QString cellText() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  CurveTableModel* m_model;
};

}  // namespace vqscope
