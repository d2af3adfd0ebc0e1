// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace vqscope {

/// The chain behind a parameter that all pages share: closed if the page takes the shared value, open if it has a value
/// of its own. A click changes that. For other parameters, the button is invisible and keeps its space.
class ChainButton : public QAbstractButton {
  Q_OBJECT
 public:
  enum class State { none, linked, own };

  explicit ChainButton(QWidget* parent = nullptr);
  void setState(State state);
  State state() const { return m_state; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  State m_state = State::none;
};

}  // namespace vqscope
