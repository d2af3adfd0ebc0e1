// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine.h"

#include <QFile>

#include <unistd.h>
#include <algorithm>
#include <thread>

namespace vqscope {
namespace {

QString processorName() {
  QFile file("/proc/cpuinfo");
  if (!file.open(QIODevice::ReadOnly)) return {};
  for (const auto& line : file.readAll().split('\n'))
    if (line.startsWith("model name")) return QString::fromUtf8(line.mid(line.indexOf(':') + 1).trimmed());
  return {};
}

double memoryBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<double>(pages) * static_cast<double>(bytes) : 0;
}

}  // namespace

Machine thisMachine() {
  return {processorName(), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())), memoryBytes()};
}

}  // namespace vqscope
