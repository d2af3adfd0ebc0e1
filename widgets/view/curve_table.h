// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <QTableView>

namespace vqscope {

class CurveTableModel;

/// The numbers of curves: x, one column a curve, and published values as columns that say so. Copies what is selected
/// as text with tabs, which spreadsheets take.
class CurveTable : public QTableView {
  Q_OBJECT
 public:
  explicit CurveTable(QWidget* parent = nullptr);

  void setCurves(const CurveSet& curves);
  /// The selected rectangle with its headers; nothing: no cell is selected.
  QString selectedText() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  CurveTableModel* m_model;
};

}  // namespace vqscope
