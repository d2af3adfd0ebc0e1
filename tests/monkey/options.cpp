// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/options.h"

#include "tests/monkey/act/actions.h"
#include "tests/support/sanitizers.h"

#include <QCommandLineParser>

#include <cstdio>
#include <cstdlib>

namespace vqscope::monkey {
namespace {

#if VQSCOPE_ADDRESS_SANITIZED
constexpr double usualStall = 2;
#else
constexpr double usualStall = 0.3;
#endif

[[noreturn]] void refuse(const QString& sentence) {
  std::fprintf(stderr, "vqscope_monkey: %s\n", qPrintable(sentence));
  std::exit(2);
}

template <class Number>
Number number(const QCommandLineParser& parser, const char* name, Number default_value,
              Number (QString::*read)(bool*, int) const) {
  const QString option = QString::fromLatin1(name);
  if (!parser.isSet(option)) return default_value;
  bool fine = false;
  const Number value = (parser.value(option).*read)(&fine, 10);
  if (!fine) refuse(QStringLiteral("--%1 takes a whole number, not %2").arg(option, parser.value(option)));
  return value;
}

}  // namespace

Options parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("A random user over the real window"));
  parser.addHelpOption();
  parser.addOptions({
      {"seed", "Decides every event.", "n"},
      {"events", "How many events.", "n"},
      {"until", "Stops after this event; the events before it stay as they are.", "n"},
      {"home", "Folder of settings and files, kept; otherwise a temporary one.", "folder"},
      {"log", "Writes one line an event.", "file"},
      {"without", "Actions that are left out, separated by commas.", "names"},
      {"stall", "Seconds without the event loop that are too many.", "seconds"},
      {"verbose", "Says each event."},
      {"actions", "Lists the actions."},
  });
  parser.process(arguments);
  if (parser.isSet(QStringLiteral("actions"))) {
    for (const auto& name : actionNames()) std::printf("%s\n", qPrintable(name));
    std::exit(0);
  }
  Options options;
  options.seed = number(parser, "seed", options.seed, &QString::toULong);
  options.events = number(parser, "events", options.events, &QString::toInt);
  options.until = number(parser, "until", options.until, &QString::toInt);
  options.home = parser.value(QStringLiteral("home"));
  options.log = parser.value(QStringLiteral("log"));
  options.verbose = parser.isSet(QStringLiteral("verbose"));
  options.stall = parser.isSet(QStringLiteral("stall")) ? parser.value(QStringLiteral("stall")).toDouble() : usualStall;
  for (const auto& name : parser.value(QStringLiteral("without")).split(',', Qt::SkipEmptyParts)) {
    if (!actionNames().contains(name)) refuse(QStringLiteral("no action %1; --actions lists them").arg(name));
    options.without.insert(name);
  }
  return options;
}

QString replayLine(const Options& options) {
  QString line = QStringLiteral("vqscope_monkey --seed %1 --events %2").arg(options.seed).arg(options.events);
  if (!options.without.isEmpty()) {
    QStringList names(options.without.begin(), options.without.end());
    names.sort();
    line += QStringLiteral(" --without ") + names.join(',');
  }
  return line;
}

}  // namespace vqscope::monkey
