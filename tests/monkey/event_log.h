// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/options.h"

#include <QString>

namespace vqscope::monkey {

/// Log of the run, one line per event. The last lines are kept where a signal handler can print
/// them together with the line that replays the run.
namespace event_log {

/// Opens the log and takes over the signals of a crash; before any other thread.
void start(const Options& options);
/// The next event, before what it does is known.
void begin(int number);
void record(const QString& what);
/// Line of the last event, for a report from another thread.
QString lastEvent();
/// A sentence with the event's number and the replay line, to stderr.
void complain(const QString& sentence);
/// The last events to stderr, oldest first.
void printLast();

}  // namespace event_log
}  // namespace vqscope::monkey
