// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/compare/compare.h"
#include "core/config/config_text.h"
#include "core/config/report/report_output.h"

#include <algorithm>

namespace vqscope {
namespace {

const RopeUse* rope_of(const ConfigReport& report, std::string_view layers) {
  for (const auto& use : report.ropes)
    if (use.layers == layers || use.layers.empty() || layers.empty()) return &use;
  return nullptr;
}

/// The names of layers for which RoPEs are compared: those of the config that distinguishes more.
std::vector<std::string> layer_names(const ConfigReport& a, const ConfigReport& b) {
  std::vector<std::string> names;
  for (const auto& use : (a.ropes.size() >= b.ropes.size() ? a : b).ropes) names.push_back(use.layers);
  return names;
}

void compare_ropes(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                   std::vector<ConfigDifference>& all) {
  for (const auto& name : layer_names(a, b)) {
    const RopeUse* of_a = rope_of(a, name);
    const RopeUse* of_b = rope_of(b, name);
    if (of_a && of_b)
      add_rope_differences(*of_a, *of_b, names, name, all);
    else
      all.push_back({"RoPE of " + name, of_a ? "rotated" : "none", of_b ? "rotated" : "none",
                     fmt::format("layers of this kind rotate in {} only", of_a ? names.a : names.b), 88});
  }
}

void compare_lengths(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names,
                     std::vector<ConfigDifference>& all) {
  const Index of_a = longest_sequence(a), of_b = longest_sequence(b);
  if (of_a == of_b || of_a == 0 || of_b == 0) return;
  const bool table = !a.tables.empty() || !b.tables.empty();
  all.push_back({"longest sequence", to_text(of_a), to_text(of_b),
                 table ? fmt::format("positions from {} on have a row in the table of {} only", std::min(of_a, of_b),
                                     of_a > of_b ? names.a : names.b)
                       : fmt::format("libraries refuse or cut sequences beyond {} tokens for {} and {} for {}", of_a,
                                     names.a, of_b, names.b),
                 50});
}

void compare_kinds(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all) {
  if (a.kind != b.kind)
    all.push_back({"position encoding", kind_name(a.kind), kind_name(b.kind),
                   "the models know positions in different ways: nothing of one applies to the other", 100});
  else if (a.kind == PositionScheme::alibi && a.heads != b.heads)
    all.push_back({"ALiBi heads", to_text(a.heads), to_text(b.heads),
                   "slopes follow from the number of heads, so all biases differ", 80});
}

/// The window that the config has and its class does not read, "none" without one.
std::string unread_window(const ConfigReport& report) {
  for (const auto& finding : report.findings) {
    if (finding.severity != ConfigSeverity::warning || !finding.path.ends_with("sliding_window")) continue;
    const auto key = std::ranges::find(report.keys, finding.path, &ConfigKey::path);
    if (key != report.keys.end()) return key->value;
  }
  return "none";
}

/// Compares windows that Hugging Face's classes ignore, but by which vLLM masks.
void compare_unread_windows(const ConfigReport& a, const ConfigReport& b, std::vector<ConfigDifference>& all) {
  const std::string of_a = unread_window(a), of_b = unread_window(b);
  if (of_a == of_b) return;
  all.push_back({"sliding window in vLLM", of_a, of_b,
                 "Hugging Face's class reads none of them; vLLM gives every layer the window that is set", 55});
}

}  // namespace

std::vector<ConfigDifference> compare_configs(const ConfigReport& a, const ConfigReport& b, const ConfigNames& names) {
  std::vector<ConfigDifference> all;
  compare_kinds(a, b, all);
  if (!a.ropes.empty() && !b.ropes.empty()) compare_ropes(a, b, names, all);
  compare_lengths(a, b, names, all);
  add_layer_differences(a, b, names, all);
  compare_unread_windows(a, b, all);
  std::ranges::stable_sort(all, std::ranges::greater(), &ConfigDifference::weight);
  return all;
}

std::vector<std::string> shorten_differences(std::vector<ConfigDifference>& differences) {
  ListBudget heaviest{"differences", 64};
  heaviest.shorten(differences);
  std::vector<std::string> sentences;
  heaviest.append_to(sentences);
  return sentences;
}

std::string errors_text(const std::string& name, const ConfigReport& report) {
  std::string text;
  for (const auto& finding : report.findings)
    if (finding.severity == ConfigSeverity::error) text += fmt::format("{}: {}\n", name, finding_text(finding));
  return text;
}

std::string comparison_text(const std::string& a, const std::string& b,
                            const std::vector<ConfigDifference>& differences, const std::string& errors) {
  const std::string doubt = errors.empty() ? "" : "as configs, which the errors above contradict, ";
  if (differences.empty()) return errors + fmt::format("{}{} and {} mean the same\n", doubt, a, b);
  std::string text = errors + fmt::format("A: {}\nB: {}\n{}{} {} in meaning\n", a, b, doubt, differences.size(),
                                          differences.size() == 1 ? "difference" : "differences");
  auto shown = differences;
  const auto left_out = shorten_differences(shown);
  for (const auto& each : shown)
    text += fmt::format("\n{}: A {}, B {}\n  {}\n", each.fact, each.a, each.b, each.meaning);
  for (const auto& sentence : left_out) text += fmt::format("\n{}\n", sentence);
  return text;
}

}  // namespace vqscope
