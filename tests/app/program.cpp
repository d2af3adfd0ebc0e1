// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace vqscope::test {

QByteArray withoutEstimates(const QByteArray& lines) {
  QByteArray rest;
  for (qsizetype from = 0, to = 0; from < lines.size(); from = to) {
    to = lines.indexOf('\n', from) + 1;
    if (to == 0) to = lines.size();
    const QByteArray line = lines.mid(from, to - from);
    if (!line.contains(" % done after ") || !line.endsWith("; Ctrl+C stops it\n")) rest += line;
  }
  return rest;
}

Outcome runProgram(const QTemporaryDir& folder, const QStringList& arguments,
                   const std::function<void(QProcess&)>& prepare) {
  QProcess process;
  process.setProgram(test::programPath());
  process.setArguments(arguments);
  process.setWorkingDirectory(folder.path());
  auto environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  process.setProcessEnvironment(environment);
  if (prepare) prepare(process);
  process.start();
  // A method's defaults may take minutes under a sanitizer on a busy machine.
  if (!process.waitForFinished(600'000) || process.exitStatus() != QProcess::NormalExit) return {};
  return {process.exitCode(), process.readAllStandardOutput(), withoutEstimates(process.readAllStandardError())};
}

std::vector<std::string> wordsOf(const QStringList& arguments) {
  std::vector<std::string> words;
  for (const auto& argument : arguments) words.push_back(argument.toStdString());
  return words;
}

bool listensToInterrupts(qint64 process) {
  QFile file(QString("/proc/%1/status").arg(process));
  if (!file.open(QIODevice::ReadOnly)) return false;
  for (const auto& line : file.readAll().split('\n'))
    if (line.startsWith("SigBlk:")) return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

QByteArray contentOf(const QTemporaryDir& folder, const QString& name) {
  QFile file(folder.filePath(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no such file");
}

QStringList namesIn(const QTemporaryDir& folder) {
  return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
}

void addRefusals(const std::vector<Refusal>& refusals) {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("message");
  for (const auto& refusal : refusals)
    QTest::newRow(refusal.arguments.join(' ').toLatin1().constData())
        << refusal.arguments << "vqscope: " + QByteArray(refusal.message) + "\n";
}

void compareRefused(const Outcome& outcome, const QByteArray& message) {
  QCOMPARE(outcome.err, message);
  QCOMPARE(outcome.out, QByteArray());
  QCOMPARE(outcome.status, 2);
}

}  // namespace vqscope::test
