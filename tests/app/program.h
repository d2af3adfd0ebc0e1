// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <string>
#include <vector>

class QProcess;

namespace vqscope::test {

struct Outcome {
  int status = -1;
  QByteArray out;
  QByteArray err;
};

/// What a command printed on stderr, without the estimate of its duration that it prints after ten
/// seconds.
QByteArray withoutEstimates(const QByteArray& lines);

/// Runs the built program in `folder`, without a display; `prepare` may change the process before
/// it starts. `err` is without estimates.
Outcome runProgram(const QTemporaryDir& folder, const QStringList& arguments,
                   const std::function<void(QProcess&)>& prepare = {});

/// The program takes SIGINT for itself once it is ready to clean up, as the kernel's mask of
/// blocked signals shows.
bool listensToInterrupts(qint64 process);

/// Arguments as the commands take them.
std::vector<std::string> wordsOf(const QStringList& arguments);

QByteArray contentOf(const QTemporaryDir& folder, const QString& name);
/// Columns and rows of a test of refused command lines, and what it compares: one line on stderr,
/// nothing on stdout, exit 2.
struct Refusal {
  QStringList arguments;
  const char* message;
};
void addRefusals(const std::vector<Refusal>& refusals);
void compareRefused(const Outcome& outcome, const QByteArray& message);

/// Everything in the folder, hidden files too.
QStringList namesIn(const QTemporaryDir& folder);

}  // namespace vqscope::test
