// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/parity.h"
#include "widgets/capture/capture_dialog.h"

#include <QObject>
#include <QPointer>

namespace vqscope {

/// Shows captures beside the window. The last one can be shown again after a layer of it was chosen.
class CaptureActions : public QObject {
  Q_OBJECT
 public:
  explicit CaptureActions(QWidget* window) : QObject(window), m_window(window) {}

  void show(const Capture& capture, std::optional<Index> layer);
  /// Holds two against each other.
  void compare(const Capture& a, const Capture& b);
  /// Asks for a capture to hold against that of the folder; without a folder, for both.
  void chooseOther(const QString& folder);
  /// The one that made place for a layer.
  void showAgain();

 signals:
  void layerRequested(const QStringList& files, qlonglong layer);
  /// Folders of two captures.
  void comparisonRequested(const QStringList& folders);
  void notified(const QString& sentence, bool bad);
  /// A method is to be shown with values.
  void viewRequested(const QString& method, const vqscope::ParameterValues& values);
  /// Whether there is a capture to show again.
  void hasCaptureChanged(bool has);

 private:
  QString chooseFolder(const QString& title);
  void copyCode(const ParameterValues& rope);
  void writeReport(const Parity& parity, const Capture& a, const Capture& b);

  QWidget* m_window;
  QPointer<CaptureDialog> m_dialog;
};

}  // namespace vqscope
