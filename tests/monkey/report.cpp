// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/report.h"

#include <algorithm>
#include <cstdio>

namespace vqscope::monkey {
namespace {

constexpr double mostGrowth = 1.5;

}  // namespace

int report(const Options& options, const Findings& findings, const Watchdog& watchdog) {
  const auto stalls = watchdog.stalls();
  for (const auto& stall : stalls)
    std::fprintf(stderr, "STALL %.2f s after %s\n%s", stall.seconds, qPrintable(stall.event), qPrintable(stall.stack));
  int broken = 0;
  for (const int times : findings.broken) broken += times;
  const double growth = findings.memoryAtFirst > 0 ? findings.memoryAtEnd / findings.memoryAtFirst : 1;
  std::printf(
      "seed %llu events %d starts %d broken %d stalls %d of_kernel %d unsettled %d worst_s %.3f p99_s %.3f rest_s %.2f "
      "start_s %.2f "
      "mib %.0f "
      "growth %.2f\n",
      static_cast<unsigned long long>(options.seed), findings.events, findings.starts, broken,
      static_cast<int>(stalls.size()), watchdog.kernelStalls(), findings.unsettled, watchdog.worst(),
      watchdog.quantile(0.99), findings.slowestRest, findings.slowestStart, findings.memoryAtEnd, growth);
  const bool good = broken == 0 && stalls.empty() && findings.unsettled == 0 && growth <= mostGrowth;
  if (!good) std::printf("replay: %s\n", qPrintable(replayLine(options)));
  return good ? 0 : 1;
}

}  // namespace vqscope::monkey
