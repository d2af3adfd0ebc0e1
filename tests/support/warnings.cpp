// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/warnings.h"

#include <QRegularExpression>
#include <QTest>

#include <atomic>
#include <cstdio>

namespace vqscope::test {
namespace {

/// Beginnings of messages that Qt's platform writes about itself, independent of the program.
constexpr const char* platformMessages[] = {
    "This plugin does not support ",                 // the offscreen plugin, of raised windows and grabbed keyboards
    "QStandardPaths: XDG_RUNTIME_DIR not set",       // sessions without a login
    "QStandardPaths: runtime directory ",            // the same, of another user's folder
    "QStandardPaths: wrong permissions on runtime",  // the same, in containers
};

QRegularExpression unexpected() {
  QStringList starts;
  for (const char* start : platformMessages) starts << QRegularExpression::escape(QLatin1String(start));
  return QRegularExpression(QStringLiteral("^(?!%1)").arg(starts.join(QLatin1Char('|'))));
}

std::atomic<int> counted = 0;

void count(QtMsgType type, const QMessageLogContext&, const QString& message) {
  std::fprintf(stderr, "%s\n", qPrintable(message));
  if (type == QtWarningMsg && unexpected().match(message).hasMatch()) ++counted;
}

}  // namespace

void failOnWarnings() { QTest::failOnWarning(unexpected()); }

void countWarnings() { qInstallMessageHandler(count); }

int countedWarnings() { return counted; }

}  // namespace vqscope::test
