// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/config_report.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

PairLayout RopeUse::pair_layout() const {
  if (interleaved) return PairLayout::interleaved;
  return apart > scaling.pairs() ? PairLayout::head_split : PairLayout::half_split;
}

Index RopeUse::count(PairFate fate) const { return std::ranges::count(pairs, fate, &ConfigPair::fate); }

Index ConfigReport::count(ConfigSeverity severity) const {
  return std::ranges::count(findings, severity, &ConfigFinding::severity);
}

std::string findings_text(const ConfigReport& report) {
  const auto counted = [&](ConfigSeverity severity, const std::string& word) {
    const Index count = report.count(severity);
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {}", counted(ConfigSeverity::error, "error"), counted(ConfigSeverity::warning, "warning"),
                     counted(ConfigSeverity::note, "note"));
}

}  // namespace vqscope
