// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/mask/preset/text_mask.h"
#include "core/report/section/shown.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_exceptions = 8;
constexpr std::size_t longest_text = 64 << 10;

/// "query 100 sees no key", "query 200, keys 203 to 207".
std::string text_of(const MaskException& each) {
  if (each.sees_nothing) return fmt::format("query {} sees no key", each.q);
  if (each.keys.size() == 1) return fmt::format("query {}, key {}", each.q, each.keys.begin);
  return fmt::format("query {}, keys {} to {}", each.q, each.keys.begin, each.keys.end - 1);
}

void add_exceptions(const Recognition& words, ReportSection& section) {
  if (!words.fits || words.exception_runs.empty()) return;
  std::string list;
  const std::size_t count = std::min(words.exception_runs.size(), most_exceptions);
  for (std::size_t i = 0; i < count; ++i) list += (i > 0 ? "; " : "") + text_of(words.exception_runs[i]);
  const bool has_more = count < words.exception_runs.size() || !words.has_all_runs;
  section.add(
      ReportText{fmt::format("Cells that this description gets wrong: {}{}.", list, has_more ? "; and more" : "")});
}

}  // namespace

ReportSection mask_section(const ReportShown& shown) {
  ReportSection section{.title = "The mask in words"};
  if (shown.words && shown.words->fits)
    section.add(ReportText{as_sentence(shown.words->sentence + ", found from the cells alone")});
  else
    section.add(ReportText{"The cells match no pattern that has a short description."});
  if (shown.words) add_exceptions(*shown.words, section);
  if (!shown.relation.empty()) section.add(ReportText{as_sentence(shown.relation)});
  std::string terms;
  for (const auto& term : shown.mask->terms()) terms += (terms.empty() ? "" : " and ") + term;
  section.add(ReportText{fmt::format("A query sees a key where all of these hold: {}.", terms)});
  if (has_mask_text(shown.values)) {
    // The text of a preset with its numbers: mask_text_of leaves them to the values beside it.
    const bool is_preset = !chosen_preset(shown.values).text.empty();
    const std::string text = is_preset ? preset_text(shown.values) : mask_text_of(shown.values);
    const bool is_long = text.size() > longest_text;
    section.add(ReportCode{is_long ? "The beginning of its text; the session has all of it:" : "Its text:",
                           is_long ? text.substr(0, longest_text) : text});
  }
  return section;
}

}  // namespace vqscope
