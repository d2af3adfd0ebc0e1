// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/model/reach_painter.h"

#include <QWidget>

#include <memory>
#include <optional>

class QMenu;

namespace vqscope {

/// Which tokens reach a query after each layer: layers downwards, tokens across. Painted from the
/// intervals of a LayerReach, whatever the length. The wheel zooms into the tokens, a drag moves
/// them; a click chooses layer and token, arrow keys move them, a double click or Enter opens the
/// mask of the layer.
class ReachView : public QWidget {
  Q_OBJECT
 public:
  using Content = ReachContent;
  using Spot = ReachSpot;

  explicit ReachView(QWidget* parent = nullptr);

  /// Keeps the shown tokens while the number of tokens stays the same; null: nothing to show.
  void setContent(std::shared_ptr<const Content> content);
  const Content* content() const { return m_content.get(); }
  /// A layer that is marked; -1: none.
  void showLayer(Index layer);
  void showSpot(const Spot& spot);
  /// Shows all tokens.
  void fit();
  /// The menu for a spot; nothing: for the map only.
  QMenu* makeMenu(const std::optional<Spot>& spot);
  /// The tokens in view, as fractions of a token.
  std::pair<double, double> shownTokens() const { return {m_first, m_last}; }

  QSize sizeHint() const override { return {560, 360}; }
  QSize minimumSizeHint() const override { return {240, 150}; }

 signals:
  /// The spot under the mouse, or the chosen one while the mouse is elsewhere.
  void pointed(std::optional<vqscope::ReachSpot> spot);
  void layerChosen(int layer);
  void maskRequested(int layer);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  std::optional<Spot> spotAt(QPointF at) const;
  void setShown(double first, double last);
  void zoom(double factor, double around);
  void choose(const Spot& spot);

  std::shared_ptr<const Content> m_content;
  double m_first = 0;
  double m_last = 1;
  std::optional<Spot> m_hovered;
  std::optional<Spot> m_chosen;
  Index m_layer = -1;
  std::optional<QPointF> m_pressed;
  bool m_dragged = false;
};

}  // namespace vqscope
