// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/config_report.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

PairLayout RopeUse::pair_layout() const {
  if (interleaved) return PairLayout::interleaved;
  return apart > scaling.pairs() ? PairLayout::head_split : PairLayout::half_split;
}

std::vector<std::string> RopeUse::axis_names() const {
  std::vector<std::string> names;
  if (sections().size() == 2) names = {"height", "width"};
  if (sections().size() == 3) names = {"time", "height", "width"};
  if (sections().size() == 4) names = {"position", "width", "height", "time"};
  for (std::size_t i = names.size(); i < sections().size(); ++i) names.push_back(fmt::format("axis {}", i));
  return names;
}

Index RopeUse::count(PairFate fate) const { return std::ranges::count(pairs, fate, &ConfigPair::fate); }

Index ConfigReport::count(ConfigSeverity severity) const {
  return std::ranges::count(findings, severity, &ConfigFinding::severity);
}

Index longest_sequence(const ConfigReport& report) {
  Index longest = 0;
  for (const auto& use : report.ropes) longest = std::max(longest, use.max_position_embeddings);
  for (const auto& table : report.tables) longest = std::max(longest, table.length);
  return longest > 0 ? longest : report.max_position_embeddings;
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
