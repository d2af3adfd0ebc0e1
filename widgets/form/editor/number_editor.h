// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/control/entry_box.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/form/editor/value_editor.h"

#include <QTimer>
#include <QToolButton>

#include <optional>

namespace vqscope {

class PlayButton;

/// Starts and stops playing: a step at regular intervals, until it is stopped.
class PlayButton : public QToolButton {
  Q_OBJECT
 public:
  /// `title`: of the parameter to play.
  PlayButton(const QString& title, QWidget* parent);

  bool isPlaying() const { return m_timer.isActive(); }
  void stop();
  /// Milliseconds between steps.
  void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }

 signals:
  void started();
  void stepped();
  void stopped();

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  void start();
  void showState();

  QTimer m_timer;
  QString m_title;
};

/// A box for the exact number with a slider below, and a play button if the parameter has one.
class NumberEditor : public ValueEditor {
  Q_OBJECT
 public:
  NumberEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  void setInForce(const QString& used) override { m_box->setInForce(used); }
  void setLimits(const Limits& limits) override { m_limits = limits; }
  void stop() override;
  QWidget* field() const override { return m_box; }
  QWidget* beside() const override { return m_beside; }
  QWidget* beneath() const override { return m_slider; }

 private:
  void drag(double fraction);
  void endDrag();
  void step(int count, Step step);
  void addPlayer(const ParameterSpec& spec, QWidget* row);
  void playTo(Index value);
  void endPlay();
  void placeKnob();
  /// Gives the box the width of its digits.
  void fitBox();
  ParameterValue valueOf(double number) const;
  bool isRefused() const { return m_limits.is_refused && m_limits.is_refused(); }
  bool isAllowed(double number) const { return m_limits.reason(valueOf(number)).isEmpty(); }
  /// `to`, or the first allowed number on the way back to `from`, not farther than a few fine steps.
  std::optional<double> allowedNear(double to, double from) const;
  /// `to`, or the last allowed number on the way to it; `to` as well if numbers are refused for
  /// another reason than a limit, so that the form can say it, or if the search takes too long.
  double limited(double from, double to) const;
  void show(double number);
  /// The next allowed number in the direction of a refused step, or `from`'s limit.
  double nextAllowed(double from, double to) const;

  SliderScale m_scale;
  bool m_integer;
  EntryBox* m_box;
  QWidget* m_beside;  ///< the box, and the play button if there is one
  ThinSlider* m_slider;
  PlayButton* m_player = nullptr;
  Limits m_limits;
  /// Found in this drag: what is beyond is not tried again.
  std::optional<double> m_least, m_most;
  Index m_played = 0;         ///< the current value while playing
  bool m_unfinished = false;  ///< an unfinished edit was sent, which a finished one must follow
};

}  // namespace vqscope
