// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/event_log.h"

#include "tests/support/sanitizers.h"

#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>

#if VQSCOPE_ADDRESS_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace vqscope::monkey::event_log {
namespace {

// Plain memory: it is read in a signal handler.
constexpr int lineBytes = 200;
constexpr int kept = 30;
std::array<std::array<char, lineBytes>, kept> lines;
std::atomic<int> count = 0;
std::atomic<int> number = 0;
std::array<char, 400> replay;
int file = -1;
bool loud = false;

void write(const char* text) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text)); }

void printReplay() {
  write("replay: ");
  write(replay.data());
  write("\n");
}

/// Messages about missing plugin features are ignored; any other may indicate a defect.
void keepMessage(QtMsgType, const QMessageLogContext&, const QString& message) {
  if (message.startsWith(QLatin1String("This plugin does not support"))) return;
  write(qPrintable(QStringLiteral("QT %1 (event %2)\n").arg(message).arg(number.load())));
}

void onCrash(int signal) {
  std::array<char, 100> head{};
  std::snprintf(head.data(), head.size(), "\nCRASH signal %d at event %d; the last events:\n", signal, number.load());
  write(head.data());
  printLast();
  std::array<void*, 64> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
  printReplay();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

[[maybe_unused]] void onReport() {
  std::array<char, 80> head{};
  std::snprintf(head.data(), head.size(), "\nCRASH sanitizer at event %d; the last events:\n", number.load());
  write(head.data());
  printLast();
  printReplay();
}

}  // namespace

void start(const Options& options) {
  std::snprintf(replay.data(), replay.size(), "%s", qPrintable(replayLine(options)));
  loud = options.verbose;
  if (!options.log.isEmpty())
    file = open(options.log.toLocal8Bit().constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  qInstallMessageHandler(keepMessage);
  void* first = nullptr;
  backtrace(&first, 1);  // loads what it needs, which a signal handler must not
#if VQSCOPE_ADDRESS_SANITIZED
  __sanitizer_set_death_callback(onReport);
  std::signal(SIGABRT, onCrash);
#else
  for (const int each : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(each, onCrash);
#endif
}

void begin(int event) { number = event; }

void record(const QString& what) {
  const int at = count.load();
  auto& line = lines[static_cast<std::size_t>(at % kept)];
  std::snprintf(line.data(), line.size(), "%d %s\n", number.load(), what.toUtf8().constData());
  line[lineBytes - 2] = '\n';
  line[lineBytes - 1] = '\0';
  count = at + 1;
  if (loud) write(line.data());
  if (file >= 0) [[maybe_unused]]
    const auto written = ::write(file, line.data(), std::strlen(line.data()));
}

QString lastEvent() {
  const int made = count;
  return made == 0 ? QStringLiteral("the start")
                   : QString::fromUtf8(lines[static_cast<std::size_t>((made - 1) % kept)].data()).trimmed();
}

void complain(const QString& sentence) {
  write(qPrintable(QStringLiteral("FAIL %1; event %2\n").arg(sentence, lastEvent())));
  printReplay();
}

void printLast() {
  const int made = count;
  for (int i = made < kept ? 0 : made - kept; i < made; ++i) write(lines[static_cast<std::size_t>(i % kept)].data());
}

}  // namespace vqscope::monkey::event_log
