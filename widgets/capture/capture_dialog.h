// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"
#include "core/method/parameter.h"

#include <QDialog>
#include <QStringList>

#include <memory>

class QLabel;
class QPushButton;
class QTabWidget;

namespace vqscope {

class CaptureWatch;
class HeadMap;
class LayerRopes;
class TensorIndex;

/// A capture in a window of its own: its tensors, what its heads are for, and which RoPE its layers
/// show. Numbers are read on other threads. While steps are still written, it shows the newest whole one.
class CaptureDialog : public QDialog {
  Q_OBJECT
 public:
  /// `layer`: the one to begin with; nothing: the first.
  CaptureDialog(std::shared_ptr<const Capture> capture, std::optional<Index> layer, QWidget* parent = nullptr);

  bool isBusy() const;

 signals:
  /// Files with q, k and, where they were kept, v and the mask of the layer; they may have others, too.
  void layerRequested(const QStringList& files, qlonglong layer);
  /// Another capture is to be chosen and held against this one.
  void comparisonRequested();
  /// A RoPE is to be that of the pages, or to be copied as code.
  void positionsRequested(const vqscope::ParameterValues& values);
  void codeRequested(const vqscope::ParameterValues& values);

 private:
  QWidget* head();
  void showFacts();
  void makeTabs();
  /// Shows another step, or the same with more of it.
  void take(const std::shared_ptr<const Capture>& capture);
  void showTab();
  void showLayer();
  void openLayer();
  void openTensor(Index layer, TensorRole role, Index head = 0);
  /// Its weights or scores, where they were kept.
  void openHead(Index layer, Index head);
  /// Empty: the layer has no q and k.
  QStringList filesOf(Index layer) const;

  std::shared_ptr<const Capture> m_capture;
  QLabel* m_engine;
  QLabel* m_facts;
  QLabel* m_remark;
  QTabWidget* m_tabs;
  TensorIndex* m_index = nullptr;
  HeadMap* m_heads = nullptr;
  LayerRopes* m_ropes = nullptr;
  QPushButton* m_open;
  CaptureWatch* m_watch;
};

}  // namespace vqscope
