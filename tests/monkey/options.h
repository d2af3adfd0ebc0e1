// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

#include <cstdint>

namespace vqscope::monkey {

/// Settings of a run. The same seed, number of events and set of excluded actions give the same
/// run, as far as the work on other threads allows.
struct Options {
  std::uint64_t seed = 1;
  int events = 1500;
  QString home;           ///< kept and used again; empty: a temporary folder
  QString log;            ///< file with one line an event; empty: none
  QSet<QString> without;  ///< actions that are left out
  double stall = 0;       ///< seconds without the event loop that count as a stall
  bool verbose = false;   ///< each event to stderr
  int until = 0;          ///< stop after this event; 0: at the end

  /// Scale of the screen; the seed decides it too.
  double scale() const { return seed % 4 == 3 ? 1.5 : 1; }
};

/// Ends the process with a sentence when they are wrong, and after --help.
Options parseOptions(const QStringList& arguments);

/// The command that does the same again.
QString replayLine(const Options& options);

}  // namespace vqscope::monkey
