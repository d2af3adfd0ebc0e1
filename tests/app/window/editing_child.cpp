// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/editing_child.h"

#include "app/window/main_window.h"
#include "core/session/session_json.h"
#include "tests/support/random_edits.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QCryptographicHash>

#include <unistd.h>

namespace vqscope::test {
namespace {

/// Unbuffered: a written line is not lost.
void report(const QByteArray& line) {
  const QByteArray whole = line + '\n';
  if (::write(STDOUT_FILENO, whole.constData(), static_cast<std::size_t>(whole.size())) < 0) std::_Exit(3);
}

class Person {
 public:
  /// Receives a change before the keeper, so every saved change has been reported.
  Person(Workbench& bench, SessionKeeper& keeper, const QString& file, std::uint64_t seed)
      : m_bench(bench), m_keeper(keeper), m_file(file), m_random(seed), m_edits(bench, seed) {
    QObject::connect(&bench, &Workbench::changed, &bench, [this] { reportStep(); });
    QObject::connect(&bench.undoStack(), &QUndoStack::indexChanged, &bench, [this] { m_stepped = true; });
  }

  void work(int steps) {
    while (m_keeper.offer()) {
      QString changed;
      m_begun ? m_keeper.discard() : void(changed = m_keeper.restore());
      if (!changed.isEmpty()) report("changed " + changed.toUtf8().replace('\n', ' '));
      m_begun = true;
    }
    waitUntilKept();
    m_reported = digestOf(m_bench.session());
    report("begin " + m_reported);
    for (int i = 0; i < steps; ++i) {
      if (m_random.bits() % 8 == 0) save();
      m_stepped = false;
      m_edits.step();
      if (!m_stepped) continue;
      waitUntilKept();
      report("kept");
    }
  }

  void save() {
    report("saving " + digestOf(m_bench.session()));
    if (write_session(m_bench.session(), bytesOf(m_file))) report("saved");
    m_bench.markSaved();
    m_keeper.setPath(m_file);
    waitUntilKept();
  }

 private:
  void reportStep() {
    const QByteArray digest = digestOf(m_bench.session());
    if (m_reported.isEmpty() || digest == m_reported) return;
    m_reported = digest;
    report("step " + digest);
  }

  void waitUntilKept() {
    while (!m_keeper.isKept()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  }

  Workbench& m_bench;
  SessionKeeper& m_keeper;
  QString m_file;
  SeededRandom m_random;
  RandomEdits m_edits;
  QByteArray m_reported;  ///< the last digest; empty before the first
  bool m_begun = false;
  bool m_stepped = false;
};

}  // namespace

QByteArray digestOf(const Session& session) {
  Session steps = session;
  steps.current.clear();
  for (auto& page : steps.pages) {
    page.view.reset();
    page.axes.clear();
  }
  return QCryptographicHash::hash(QByteArray::fromStdString(session_text(steps)), QCryptographicHash::Sha1).toHex();
}

int editUntilKilled(int argc, char** argv) {
  if (argc < 6) return 2;
  const bool window = QByteArray(argv[2]) == "window";
  const auto seed = static_cast<std::uint64_t>(QByteArray(argv[3]).toULongLong());
  const QString file = QString::fromLocal8Bit(argv[4]);
  const int steps = QByteArray(argv[5]).toInt();
  QApplication::setQuitOnLastWindowClosed(false);
  if (!window) {
    Workbench bench;
    SessionKeeper keeper(bench);
    keeper.begin();
    keeper.endStart();
    Person(bench, keeper, file, seed).work(steps);
    if (!keeper.finish()) return 4;
  } else {
    MainWindow shown;
    shown.restoreSaved();
    shown.show();
    Person(shown.workbench(), shown.keeper(), file, seed).work(steps);
    shown.close();
  }
  report("end");
  return 0;
}

}  // namespace vqscope::test
