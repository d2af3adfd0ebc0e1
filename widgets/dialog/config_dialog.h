// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/model_config.h"

#include <QDialog>

class QTabWidget;

namespace vqscope {

/// Meaning of a model's config.json for its position encoding: findings, pairs, how each reader
/// interprets it, and the use of each key. Buttons open it on a page.
class ConfigDialog : public QDialog {
  Q_OBJECT
 public:
  ConfigDialog(const QString& name, const ConfigReport& report, QWidget* parent = nullptr);

 signals:
  /// Emitted to open the view on its page.
  void opened(const vqscope::ConfigView& view);

 private:
  QWidget* findingsOf(const ConfigReport& report);
  void addRope(const RopeUse& use);
  QWidget* pairsOf(const RopeUse& use);
  QWidget* readersOf(const RopeUse& use);
  QWidget* keysOf(const ConfigReport& report);

  QTabWidget* m_tabs;
};

}  // namespace vqscope
