// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QObject>
#include <QStringList>

class QWidget;

namespace vqscope {

/// Opens queries, keys and values together, from files.
class TensorActions : public QObject {
  Q_OBJECT
 public:
  explicit TensorActions(QWidget* window);

  /// Shows a dialog if the names of the tensors do not give their roles, or if there are no files.
  void open(const QStringList& paths);

 signals:
  /// A method with the tensors as its data.
  void viewRequested(const QString& method, const vqscope::ParameterValues& values);
  void notified(const QString& sentence, bool bad);

 private:
  QWidget* m_window;
};

}  // namespace vqscope
