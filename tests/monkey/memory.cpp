// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/memory.h"

#include "tests/support/sanitizers.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>

namespace vqscope::monkey {

double residentMebibytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void limitResources() {
  const rlimit files{rlim_t{64} << 20, rlim_t{64} << 20};
  setrlimit(RLIMIT_FSIZE, &files);
  std::signal(SIGXFSZ, SIG_IGN);  // a write fails instead, as on a full disk
#if !VQSCOPE_ADDRESS_SANITIZED
  const rlimit space{rlim_t{6} << 30, rlim_t{6} << 30};
  setrlimit(RLIMIT_AS, &space);
#endif
}

}  // namespace vqscope::monkey
