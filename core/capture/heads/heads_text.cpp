// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/captured_heads.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/json/json_value.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr Index long_window = 1024;

/// The longest window worth a sentence: 1,024, or a quarter of fewer keys.
Index told_window(const CapturedHeads& heads) {
  Index window = 1;
  while (4 * window < heads.keys && window < long_window) window *= 2;
  return window;
}

std::string optional_text(const std::optional<double>& value) { return value ? to_text(*value, 4) : ""; }

std::string reach_text(const HeadMeasures& head) {
  const auto reach = head.reach();
  return reach ? std::to_string(*reach) : "";
}

}  // namespace

char letter_of(HeadRole role) { return "sopidlr."[static_cast<std::size_t>(role)]; }

std::vector<std::string> sentences_of(const CapturedHeads& heads) {
  const Index window = told_window(heads);
  const auto needs_more = [&](const CapturedHead& each) { return each.measures.reach().value_or(heads.keys) > window; };
  const auto far = std::count_if(heads.heads.begin(), heads.heads.end(), needs_more);
  std::map<HeadRole, Index> counts;
  for (const CapturedHead& each : heads.heads) ++counts[each.role];
  std::string roles;
  for (const auto& [role, count] : counts)
    roles += fmt::format("{}{} {} ({})", roles.empty() ? "" : ", ", count, name_of(role), letter_of(role));
  std::vector<std::string> lines{
      fmt::format("{} of {} heads need more than {} tokens", far, heads.heads.size(), window), roles,
      fmt::format("by {} rows of a head, {} keys, from {}", heads.rows, heads.keys, heads.source)};
  if (!heads.has_tokens) lines.emplace_back("no token ids were kept: induction and duplicate heads cannot be told");
  return lines;
}

std::string heads_map(const CapturedHeads& heads) {
  std::string text;
  std::optional<Index> layer;
  for (const CapturedHead& each : heads.heads) {
    if (layer != each.layer) text += fmt::format("{}layer {:>3}  ", layer ? "\n" : "", each.layer);
    layer = each.layer;
    text += letter_of(each.role);
  }
  return text + "\n";
}

std::string heads_csv(const CapturedHeads& heads) {
  std::string text = "layer,head,role,sink,self,previous,induction,duplicate,peak,entropy,reach";
  const std::size_t windows = heads.heads.front().measures.within.size();
  for (std::size_t i = 0; i < windows; ++i) text += fmt::format(",within_{}", Index{1} << i);
  text += "\n";
  for (const CapturedHead& each : heads.heads) {
    const HeadMeasures& m = each.measures;
    text += fmt::format("{},{},{}", each.layer, each.head, name_of(each.role));
    for (const double value : {m.sink, m.self, m.previous}) text += "," + to_text(value, 4);
    text += "," + optional_text(m.induction) + "," + optional_text(m.duplicate);
    text += "," + to_text(m.peak, 4) + "," + to_text(m.entropy, 4) + "," + reach_text(m);
    for (std::size_t i = 0; i < windows; ++i) text += "," + (i < m.within.size() ? to_text(m.within[i], 4) : "");
    text += "\n";
  }
  return text;
}

std::string heads_json(const CapturedHeads& heads) {
  const auto or_null = [](const auto& value) { return value ? JsonValue(*value) : JsonValue(); };
  JsonArray all;
  for (const CapturedHead& each : heads.heads) {
    const HeadMeasures& m = each.measures;
    all.emplace_back(JsonObject{{"layer", each.layer},
                                {"head", each.head},
                                {"role", name_of(each.role)},
                                {"sink", m.sink},
                                {"self", m.self},
                                {"previous", m.previous},
                                {"induction", or_null(m.induction)},
                                {"duplicate", or_null(m.duplicate)},
                                {"peak", m.peak},
                                {"entropy", m.entropy},
                                {"reach", or_null(m.reach())},
                                {"within", m.within}});
  }
  return indented_json(JsonObject{{"keys", heads.keys},
                                  {"rows", heads.rows},
                                  {"source", heads.source},
                                  {"sentence", sentences_of(heads).front()},
                                  {"heads", all}});
}

}  // namespace vqscope
