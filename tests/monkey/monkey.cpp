// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/monkey.h"

#include "core/session/session_json.h"
#include "tests/monkey/act/actions.h"
#include "tests/monkey/act/dialogs.h"
#include "tests/monkey/event_log.h"
#include "tests/monkey/invariants.h"
#include "tests/monkey/memory.h"
#include "tests/monkey/truth.h"
#include "tests/monkey/watchdog.h"
#include "widgets/parts/message_bar.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QScopedValueRollback>
#include <QThread>
#include <QTimer>

#include <utility>

namespace vqscope::monkey {
namespace {

constexpr int eventsBetweenRests = 50;
constexpr int turnPercent = 1;   // of events before which the user goes to another window
constexpr int truthPercent = 4;  // of events after which maps are compared with their values
constexpr int eventsBeforeMemory = 1000;
constexpr double longestRest = 30;    // seconds
constexpr double longestCheck = 60;   // seconds, of what a person does not wait for
constexpr double longestStart = 1.7;  // that a start may take more than a click

}  // namespace

Monkey::Monkey(const Options& options, const QString& folder, Watchdog& watchdog)
    : m_options(options),
      m_last(options.until > 0 ? std::min(options.until, options.events) : options.events),
      m_watchdog(watchdog),
      m_chance(options.seed),
      m_files(folder, m_chance) {}

Monkey::~Monkey() = default;

void Monkey::start() {
  restart();
  m_resting.start();
  next(0);
}

void Monkey::next(int milliseconds) { QTimer::singleShot(milliseconds, this, &Monkey::step); }

int Monkey::somePause() {
  const int kind = m_chance.below(100);
  return kind < 75 ? 0 : kind < 95 ? m_chance.between(1, 15) : m_chance.between(20, 120);
}

/// The last state of one window is shown at the next start, unless the other one closes later.
void Monkey::restart() {
  m_window = std::move(m_other);
  if (m_window) {
    m_closedWith.reset();
    event_log::record(QStringLiteral("the other window"));
    return m_window->activateWindow();
  }
  const auto before = std::move(m_closedWith);
  m_closedWith.reset();
  startWindow();
  if (!before || m_window->workbench().session() == *before) return;
  keepSession(*before, "closed");
  complain({QStringLiteral("the next start shows another session than the last one: %1; it says: %2")
                .arg(differing(*before, m_window->workbench().session()).join(','),
                     m_window->findChild<MessageBar*>()->sentence())});
}

bool Monkey::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_window.get() && event->type() == QEvent::Hide && !event->spontaneous())
    m_closedWith = m_window->workbench().session();
  return false;
}

void Monkey::startWindow() {
  event_log::record(QStringLiteral("start"));
  m_watchdog.setLimit(m_options.stall + longestStart);
  QElapsedTimer timer;
  timer.start();
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), systemTheme());
  m_window = std::make_unique<MainWindow>();
  m_window->installEventFilter(this);
  m_window->restoreSaved();
  m_window->show();
  m_window->activateWindow();
  ++m_findings.starts;
  m_findings.slowestStart = std::max(m_findings.slowestStart, static_cast<double>(timer.elapsed()) / 1000);
  QTimer::singleShot(0, this, [this] { m_watchdog.setLimit(m_options.stall); });
}

void Monkey::turnWindows() {
  const bool second = !m_other;
  std::swap(m_window, m_other);
  if (second) startWindow();
  event_log::record(second ? QStringLiteral("second window") : QStringLiteral("turn to the other window"));
  m_window->activateWindow();
}

void Monkey::step() {
  if (m_mode == Mode::over) return;
  const QScopedValueRollback depth(m_depth, m_depth + 1);
  const bool gone = !m_window->isVisible();
  if (m_mode == Mode::act && !gone) {
    next(somePause());
    return act();
  }
  next(1);
  Hands hands{m_chance, m_input, m_files, *m_window, {}};
  // A dialog that was just rejected returns when the loop goes on, and is a child of the window.
  if (unwind(hands) || m_depth > 1 || QThread::currentThread()->loopLevel() > 1) return;
  if (!gone) keepActive(*m_window);
  if (gone) return restart();
  rest();
}

void Monkey::act() {
  event_log::begin(++m_number);
  const bool free = m_depth == 1 && !QApplication::activeModalWidget() && !QApplication::activePopupWidget();
  if (free && !m_input.isPressed() && !m_options.without.contains(QStringLiteral("windows")) &&
      m_chance.in(turnPercent))
    turnWindows();
  Hands hands{m_chance, m_input, m_files, *m_window, event_log::record};
  if (m_number % eventsBetweenRests == 0 || isLast()) {
    m_mode = Mode::rest;
    m_resting.start();
  }
  keepActive(*m_window);
  if (!answerDialog(hands)) actOnce(hands, m_options.without);
  complain(brokenNow(*m_window) + unmarked(*m_window));
  if (m_window->isVisible() && m_chance.in(truthPercent)) checkTruth();
}

void Monkey::rest() {
  const double waited = static_cast<double>(m_resting.elapsed()) / 1000;
  if (m_window->isBusy() && waited < longestRest) return;
  m_findings.slowestRest = std::max(m_findings.slowestRest, waited);
  if (m_window->isBusy()) {
    ++m_findings.unsettled;
    keepSession(m_window->workbench().session(), "broken");
    event_log::complain(QStringLiteral("no rest of %1 after %2 s on %3, %4")
                            .arg(busyParts(*m_window).join(','))
                            .arg(waited)
                            .arg(QString::fromStdString(m_window->workbench().session().current),
                                 QString::fromStdString(m_window->workbench().current().method)));
  }
  check();
  m_mode = Mode::act;
  if (!isLast()) return;
  m_mode = Mode::over;
  m_findings.events = m_number;
  m_findings.memoryAtEnd = residentMebibytes();
  for (auto* window : {&m_other, &m_window})
    if (*window) (*window)->close();
  m_other.reset();
  m_window.reset();
  emit finished();
}

void Monkey::check() {
  event_log::record(QStringLiteral("rest, %1 MiB").arg(residentMebibytes(), 0, 'f', 0));
  m_watchdog.setLimit(longestCheck);
  complain(brokenAtRest(*m_window));
  checkTruth();
  if (m_number == eventsBeforeMemory) m_findings.memoryAtFirst = residentMebibytes();
}

void Monkey::checkTruth() {
  m_watchdog.setLimit(longestCheck);
  complain(falseMaps(*m_window, m_chance));
  QTimer::singleShot(0, this, [this] { m_watchdog.setLimit(m_options.stall); });
}

void Monkey::onException(const QString& sentence) {
  event_log::record(QStringLiteral("exception: %1").arg(sentence));
  if (m_window) m_window->showMessage(sentence, true);
  if (!sentence.contains(QLatin1String("memory"))) complain({QStringLiteral("exception: %1").arg(sentence)});
}

void Monkey::complain(const QStringList& broken) {
  for (const auto& each : broken) {
    if (++m_findings.broken[each] != 1) continue;
    if (m_window) keepSession(m_window->workbench().session(), "broken");
    event_log::complain(each);
  }
}

/// The session of a complaint, in the home folder, to open it in the program.
void Monkey::keepSession(const Session& session, const char* name) const {
  QFile file(QStringLiteral("%1/%2-%3.vqscope").arg(QDir::homePath(), QLatin1String(name)).arg(m_number));
  if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::fromStdString(session_text(session)));
}

}  // namespace vqscope::monkey
