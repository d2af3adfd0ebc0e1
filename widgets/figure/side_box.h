// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QComboBox>

namespace vqscope {

/// Width or height of a figure: "84 mm", "600 px", or a usual one from the list.
class SideBox : public QComboBox {
  Q_OBJECT
 public:
  /// `name` in sentences: "width". `usual`: sizes as they are typed.
  SideBox(const QString& name, const QStringList& usual, QWidget* parent);

  void setSide(double points);
  /// In CSS pixels, or why what is typed is no size.
  Result<double> side() const;

 signals:
  void changed();

 protected:
  /// A click into the text selects it, so that typing replaces it.
  bool eventFilter(QObject* watched, QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void mark();

  QString m_name;
  bool m_entered = false;  ///< by a press of the mouse that goes on
};

}  // namespace vqscope
