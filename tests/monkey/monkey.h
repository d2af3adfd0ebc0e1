// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"
#include "tests/monkey/options.h"

#include <QElapsedTimer>
#include <QMap>

#include <memory>
#include <optional>

namespace vqscope::monkey {

class Watchdog;

/// Statistics of a run.
struct Findings {
  int events = 0;
  int starts = 0;
  int unsettled = 0;          ///< rests that did not come in time
  double slowestRest = 0;     ///< seconds until nothing was left to do
  double slowestStart = 0;    ///< seconds until a window stood
  QMap<QString, int> broken;  ///< by sentence
  double memoryAtFirst = 0;   ///< MiB after the first thousand events
  double memoryAtEnd = 0;
};

/// The user. Each step is begun by a timer of its own, so that the next one comes also while a
/// dialog's event loop runs inside of this one.
class Monkey : public QObject {
  Q_OBJECT
 public:
  Monkey(const Options& options, const QString& folder, Watchdog& watchdog);
  ~Monkey() override;

  void start();
  const Findings& findings() const { return m_findings; }
  /// An exception has reached the event loop: missing memory is reported, any other is a defect.
  void onException(const QString& sentence);

 signals:
  void finished();

 protected:
  /// Stores the state at the close of the window: later results of work are not shown.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Mode { act, rest, over };

  void next(int milliseconds);
  void step();
  void act();
  /// Waits until the window has nothing left to do; then what must hold is checked.
  void rest();
  void check();
  /// Compares maps that say "exact" with their values; now and then also before anything has come
  /// to rest.
  void checkTruth();
  void restart();
  /// A second window over the same home, or the other of two comes to the front.
  void turnWindows();
  void startWindow();
  void complain(const QStringList& broken);
  void keepSession(const Session& session, const char* name) const;
  bool isLast() const { return m_number >= m_last; }
  int somePause();

  const Options m_options;
  const int m_last;
  Watchdog& m_watchdog;
  Chance m_chance;
  Input m_input;
  Files m_files;
  std::unique_ptr<MainWindow> m_window;
  std::unique_ptr<MainWindow> m_other;  ///< another one, which waits; null: there is none
  std::optional<Session> m_closedWith;
  Mode m_mode = Mode::rest;
  int m_number = 0;
  int m_depth = 0;  ///< steps that are under way, each in an event loop of the one before
  QElapsedTimer m_resting;
  Findings m_findings;
};

}  // namespace vqscope::monkey
