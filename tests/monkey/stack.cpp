// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <QFileInfo>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace vqscope::monkey {
namespace {

std::array<void*, 96> frames;
std::atomic<int> depth = -1;

void onSignal(int) { depth = backtrace(frames.data(), static_cast<int>(frames.size())); }

QString nameOf(void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0) return QStringLiteral("%1").arg(reinterpret_cast<quintptr>(address), 0, 16);
  const auto offset = static_cast<char*>(address) - static_cast<char*>(info.dli_fbase);
  const QString place = QStringLiteral("%1+0x%2")
                            .arg(QFileInfo(QString::fromLocal8Bit(info.dli_fname)).fileName())
                            .arg(static_cast<qulonglong>(offset), 0, 16);
  if (!info.dli_sname) return place;
  int status = 0;
  char* plain = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  const QString name = QString::fromLatin1(status == 0 ? plain : info.dli_sname).left(140);
  std::free(plain);
  return place + QLatin1Char(' ') + name;
}

}  // namespace

QString stackOf(pthread_t thread) {
  depth = -1;
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  pthread_kill(thread, SIGUSR2);
  for (int i = 0; i < 1000 && depth < 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  QString stack;
  for (int i = 2; i < depth; ++i)  // without the handler's own
    stack += QStringLiteral("    ") + nameOf(frames[static_cast<std::size_t>(i)]) + QLatin1Char('\n');
  return stack.isEmpty() ? QStringLiteral("    no stack\n") : stack;
}

}  // namespace vqscope::monkey
