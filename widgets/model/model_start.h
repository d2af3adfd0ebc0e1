// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace vqscope {

/// What stands in place of the layers while there are none: how to open a config, and a few models to look at.
class ModelStart : public QWidget {
  Q_OBJECT
 public:
  explicit ModelStart(QWidget* parent = nullptr);

  /// Why there are no layers; empty: no model was opened.
  void setReason(const QString& reason);

 signals:
  void openRequested();
  void pasteRequested();
  /// A config of the resources, ":/configs/….json".
  void sampleRequested(const QString& file);

 private:
  QLabel* m_reason;
};

}  // namespace vqscope
