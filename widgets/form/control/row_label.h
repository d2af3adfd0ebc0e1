// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QWidget>

namespace vqscope {

/// A parameter's title and, in grey, its parameter name if different. Without enough width, the name is cut
/// first.
class RowLabel : public QWidget {
  Q_OBJECT
 public:
  explicit RowLabel(const ParameterSpec& spec, QWidget* parent = nullptr);

  /// Only the grey name, for a control that shows the title itself.
  void hideTitle();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_title;
  QString m_name;
};

}  // namespace vqscope
