// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace vqscope {

/// Shown while there are no layers: how to open a config, and a few example models.
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
