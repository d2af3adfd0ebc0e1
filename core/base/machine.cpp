// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine.h"

#include "core/base/cgroup.h"
#include "core/base/text.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

namespace vqscope {
namespace {

/// What this process may use: less than there is in a container or a job of SLURM.
double memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long bytes = sysconf(_SC_PAGESIZE);
  std::ifstream groups("/proc/self/cgroup");
  const double limit = cgroup_memory(groups);
  const double all = pages > 0 && bytes > 0 ? static_cast<double>(pages) * static_cast<double>(bytes) : 0;
  return all > 0 && limit > all ? all : std::isfinite(limit) ? limit : all;
}

}  // namespace

Machine this_machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  return {processor_name(cpuinfo), static_cast<int>(std::max(1U, std::thread::hardware_concurrency())), memory_bytes()};
}

std::string processor_name(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);)
    if (const auto colon = line.find(':'); line.starts_with("model name") && colon != std::string::npos)
      return std::string(trimmed(std::string_view(line).substr(colon + 1)));
  return {};
}

}  // namespace vqscope
