// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/mask/source/batch_overview.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace vqscope {

/// The masks of a file as small cells, a column a sample and a row a head: red with errors, amber
/// with warnings, else darker where a mask differs from the first. A click or the arrow keys choose
/// one; a tooltip says what differs and what is wrong.
class SampleStrip : public QWidget {
  Q_OBJECT
 public:
  explicit SampleStrip(QWidget* parent = nullptr);

  /// `looks` [samples, heads]; none while they are computed.
  void setSamples(Index samples, Index heads, std::vector<BatchLook> looks);
  /// Names of the samples in place of their numbers, if they are files of their own.
  void setNames(const QStringList& names) { m_names = names; }
  void setCurrent(Index sample, Index head);
  /// What the tooltip of a cell says.
  QString describe(Index sample, Index head) const;
  QSize sizeHint() const override;

 signals:
  void picked(vqscope::Index sample, vqscope::Index head);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int side() const;
  QRect cellOf(Index sample, Index head) const;
  QColor colourOf(const BatchLook& look) const;
  const BatchLook* lookOf(Index sample, Index head) const;
  /// The cell under a point; nothing: none.
  std::optional<std::pair<Index, Index>> cellAt(const QPoint& point) const;

  Index m_samples = 1;
  Index m_heads = 1;
  Index m_sample = 0;
  Index m_head = 0;
  std::vector<BatchLook> m_looks;
  QStringList m_names;
};

/// "Sample 2", "Sample 2, head 0", "Head 0".
QString placeOf(const Finding& finding);

}  // namespace vqscope
