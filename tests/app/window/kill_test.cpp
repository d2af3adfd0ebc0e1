// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/session/session_json.h"
#include "tests/app/window/editing_child.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// VQSCOPE_KILLS sets another number.
int kills(int usual) { return countFrom("VQSCOPE_KILLS", usual); }

/// States that the next start may find, by the reports of the runs before.
class Expectation {
 public:
  Expectation() : m_steps{digestOf(default_session())} {}

  /// Lines of one run; an incomplete last line does not count.
  void readReports(const QByteArray& output) {
    const auto whole = output.left(output.lastIndexOf('\n') + 1);
    for (const QByteArray& line : whole.split('\n')) readLine(line.simplified());
  }

  /// Another state than those that the last run may have left, if it came so far, or parts of it that
  /// could not be read.
  const QByteArray& problem() const { return m_problem; }
  /// 0 where the last run was found as it was, 1 where its last step was lost.
  int lost() const { return m_lost; }

  bool mayBeSaved(const QByteArray& digest) const { return m_saved.contains(digest); }
  bool isSaved() const { return !m_saved.contains(QByteArray()); }

 private:
  void readLine(const QByteArray& line) {
    const QByteArray digest = line.mid(line.indexOf(' ') + 1);
    if (line.startsWith("begin ")) {
      m_lost = -1;
      for (qsizetype back = 0; back < m_steps.size() && m_lost < 0; ++back)
        if (m_steps[m_steps.size() - 1 - back] == digest) m_lost = static_cast<int>(back);
      if (m_lost < 0) m_problem = "begins with what was never there, or was long ago";
      m_steps = {digest};
    } else if (line.startsWith("changed ")) {
      m_problem = "was changed to be opened: " + digest;
    } else if (line.startsWith("step ")) {
      m_steps.append(digest);
      if (m_steps.size() > 2) m_problem = "a step before the one before it was kept";
    } else if (line == "kept" || line == "end") {
      m_steps = {m_steps.last()};
    } else if (line.startsWith("saving ")) {
      m_saved.append(digest);
    } else if (line == "saved") {
      m_saved = {m_saved.last()};
    }
  }

  QList<QByteArray> m_steps;                   ///< the one that is kept, and those after it
  QList<QByteArray> m_saved = {QByteArray()};  ///< what the file may be; empty: not there
  QByteArray m_problem;
  int m_lost = 0;
};

}  // namespace

/// The program is killed at random moments: what was there before is there after, or the step after
/// it.
class KillTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void killed_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("times");
    QTest::newRow("session") << "session" << kills(12);
    QTest::newRow("window") << "window" << kills(40) / 10;
  }

  void killed() {
    QFETCH(QString, what);
    QFETCH(int, times);
    const QTemporaryDir folder;
    SeededRandom random(static_cast<std::uint64_t>(times));
    Expectation expected;
    int lost = 0;
    for (int i = 0; i < times; ++i) {
      expected.readReports(runAndKill(folder, what, static_cast<std::uint64_t>(i), random));
      QVERIFY2(expected.problem().isEmpty(), qPrintable(QStringLiteral("kill %1: ").arg(i) + expected.problem()));
      lost += expected.lost();
      QVERIFY2(fileIsWhole(folder, expected), qPrintable(QStringLiteral("kill %1: the file is torn").arg(i)));
    }
    qInfo("%d kills, %d steps lost", times, lost);
    // The last run ends orderly, and nothing is left lying.
    const auto last = run(folder, what, 99, 1);
    QVERIFY(last->waitForFinished(60'000));
    expected.readReports(last->readAllStandardOutput());
    QCOMPARE(last->exitCode(), 0);
    QVERIFY2(expected.problem().isEmpty(), expected.problem().constData());
    QCOMPARE(namesIn(folder.filePath("state/vqscope")).join(QLatin1Char(' ')), QString());
    QStringList saved = namesIn(folder.path());
    saved.removeOne("work.vqscope");
    // One name at most, of a kill between two calls of the system; the next write of the file takes
    // it over.
    for (const char* aside : {".work.vqscope.vqscope-part", ".work.vqscope.vqscope-old"}) saved.removeOne(aside);
    QCOMPARE(saved.join(QLatin1Char(' ')), QStringLiteral("config state"));
  }

 private:
  static QStringList namesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }

  static std::unique_ptr<QProcess> run(const QTemporaryDir& folder, const QString& what, std::uint64_t seed,
                                       int steps) {
    auto process = std::make_unique<QProcess>();
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
      environment.insert(name, folder.filePath(QByteArray(name) == "XDG_STATE_HOME" ? "state" : "config"));
    process->setProcessEnvironment(environment);
    process->setStandardErrorFile(QProcess::nullDevice());
    process->start(QApplication::applicationFilePath(), {editingChildOption, what, QString::number(seed),
                                                         folder.filePath("work.vqscope"), QString::number(steps)});
    return process;
  }

  /// Killed a random time after it has written a random number of lines.
  static QByteArray runAndKill(const QTemporaryDir& folder, const QString& what, std::uint64_t seed,
                               SeededRandom& random) {
    const auto process = run(folder, what, seed, 1'000'000);
    const auto lines = static_cast<qsizetype>(random.bits() % 30);
    QByteArray output;
    while (output.count('\n') < lines && process->waitForReadyRead(60'000)) output += process->readAllStandardOutput();
    const auto while_ = static_cast<qint64>(3e6 * random.uniform());
    for (QElapsedTimer clock = started(); clock.nsecsElapsed() < while_;) {
    }
    process->kill();
    process->waitForFinished(60'000);
    return output + process->readAllStandardOutput();
  }

  static QElapsedTimer started() {
    QElapsedTimer clock;
    clock.start();
    return clock;
  }

  /// The file that the session is saved to is not there yet, or is one of those that were saved.
  static bool fileIsWhole(const QTemporaryDir& folder, const Expectation& expected) {
    const QString path = folder.filePath("work.vqscope");
    if (!QFile::exists(path)) return !expected.isSaved();
    const auto session = read_session(bytesOf(path));
    return session && session->notes.empty() && expected.mayBeSaved(digestOf(session->session));
  }
};

VQSCOPE_TEST(KillTest)
#include "kill_test.moc"
