// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/lint/lint_hidden.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"

namespace vqscope {
namespace {

/// "3 behind", "2 ahead".
std::string distance_text(const LintCase& given, const CellTally& tally) {
  const Index behind = query_position(given, tally.row) - given.layout.kv_pos(tally.key);
  return behind < 0 ? fmt::format("{} ahead", -behind) : fmt::format("{} behind", behind);
}

/// "window of 3", counting the query itself, if the case does so; else "window of 2 behind".
std::string wanted_window(const LintCase& given) {
  if (looks_back(given.objective) && given.window) return fmt::format("window of {}", *given.window);
  std::string text = "window of";
  if (given.window_left) text += fmt::format(" {} behind", *given.window_left);
  if (given.window_right) text += fmt::format(" {}{} ahead", given.window_left ? "and " : "", *given.window_right);
  return text;
}

std::string too_wide(const LintCase& given, const CellTally& wide, const CellTally& wider) {
  const Index reach = reach_behind(given);
  std::string text = fmt::format("{}, {}: a {} requires q_pos - kv_pos {}", seen_cell(wide), distance_text(given, wide),
                                 wanted_window(given),
                                 given.window ? fmt::format("< {}", *given.window) : fmt::format("<= {}", reach));
  const bool at_start = given.sinks == 0 && given.layout.kv_pos(wide.key) == 0;
  if (wider.wrong == 0 && given.window)
    text += fmt::format(
        "; the mask is a window of {}, as made by q_idx - kv_idx <= {} (attention-gym) or window_size=({}, 0) "
        "(flash-attention)",
        *given.window + 1, *given.window, *given.window);
  else if (at_start && wider.wrong > 0 && looks_back(given.objective))
    text += "; set sinks if the first keys must be visible to every query";
  return text;
}

std::string too_far_ahead(const LintCase& given, const CellTally& ahead) {
  return fmt::format("{}, {}: a {} requires kv_pos - q_pos <= {}", seen_cell(ahead), distance_text(given, ahead),
                     wanted_window(given), *given.window_right);
}

/// How many queries do not see themselves.
std::string blind_to_self(const CellTally& self) {
  if (self.wrong == self.region) return "; queries do not see themselves";
  return fmt::format("; {} of {} queries {}", self.wrong, self.region,
                     self.wrong == 1 ? "does not see itself" : "do not see themselves");
}

std::string too_narrow(const LintCase& given, const CellTally& narrow, const CellTally& narrower,
                       const CellTally& self) {
  std::string text =
      fmt::format("{}, {}: inside the {}", hidden_cell(narrow), distance_text(given, narrow), wanted_window(given));
  if (self.wrong > 0) return text + blind_to_self(self);
  const bool all_alike = narrower.wrong == 0 && narrow.wrong == narrow.region - narrower.region;
  if (all_alike && given.window && *given.window > 1)
    text += fmt::format("; the mask is a window of {}", *given.window - 1);
  return text;
}

/// The expected keys without those at the border of the window.
CellSet narrower_keys(LintCase given, WantedPart part) {
  if (given.window) --*given.window;
  return given.window == 0 ? CellSet() : wanted_keys(given, part);
}

RulePlan window(const LintCase& given) {
  if (given.objective == Objective::bidirectional && given.window && !wants_window(given))
    return only_question(
        "window is " + to_text(*given.window) +
            " and the objective bidirectional: set window_left and window_right, the keys behind and ahead",
        {Suggestion{{SuggestedValue{"window_left"}, SuggestedValue{"window_right"}}}});
  if (!wants_window(given)) return skipped("no window is expected");
  if (!given.draft_blocks.empty()) return skipped("the queries are blocks with several anchors");
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  const bool back = looks_back(given.objective);
  const WantedPart part = back && !given.window_right ? WantedPart::behind : WantedPart::all;
  const Index reach = reach_behind(given);
  RulePlan plan;
  plan.probes = {{beyond_window(given, reach), false, true},
                 {beyond_window(given, reach + 1), false},
                 {given.sparse ? CellSet() : wanted_keys(given, part), true, true,
                  [&given] { return hidden_on_purpose(given).has_value(); }},
                 {narrower_keys(given, part), true},
                 {own_keys(given.layout), true},
                 {back ? CellSet() : ahead_of_window(given, reach_ahead(given)), false, true}};
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const auto& cells = tallies.cells;
    if (cells[0].wrong > 0) out.push_back(cell_finding(Severity::error, cells[0], too_wide(given, cells[0], cells[1])));
    if (cells[5].wrong > 0) out.push_back(cell_finding(Severity::error, cells[5], too_far_ahead(given, cells[5])));
    if (cells[2].wrong == 0) return;
    if (const auto purpose = hidden_on_purpose(given))
      out.push_back(cell_question(
          cells[2],
          fmt::format("{}: within the window the mask keeps {} if intended", hidden_cell(cells[2]), purpose->text()),
          {purpose->states}));
    else
      out.push_back(cell_finding(Severity::error, cells[2], too_narrow(given, cells[2], cells[3], cells[4])));
  };
  return plan;
}

std::string chunk_sentence(const LintCase& given, const CellTally& seen) {
  const std::string positions = positions_text(given, seen, "and");
  if (looks_by_chunks(given.objective))
    return fmt::format("{}: {}, and chunks of {} show {} keys before the query's chunk", seen_cell(seen), positions,
                       *given.chunk, *given.left_frames);
  return fmt::format("{} of another chunk: {} are not in one chunk of {}", seen_cell(seen), positions, *given.chunk);
}

RulePlan chunk(const LintCase& given) {
  if (!given.chunk) return skipped("no chunks are expected");
  if (given.objective == Objective::cross) return skipped("the objective is cross");
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  RulePlan plan;
  plan.probes.push_back({other_chunks(given), false, true});
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& seen = tallies.cells[0];
    if (seen.wrong > 0) out.push_back(cell_finding(Severity::error, seen, chunk_sentence(given, seen)));
  };
  return plan;
}

/// "every real key of its chunk of 4, 8 before it and 2 after it".
std::string chunks_text(const LintCase& given) {
  std::string text = fmt::format("every real key of its chunk of {}", *given.chunk);
  text += given.left_frames ? fmt::format(", {} before it", *given.left_frames) : std::string(", all before it");
  return text + (given.right_frames > 0 ? fmt::format(" and {} after it", given.right_frames) : "");
}

std::string hidden_sentence(const LintCase& given, const CellTally& hidden) {
  const std::string where =
      given.draft_blocks.empty() ? fmt::format(" ({})", positions_text(given, hidden, "and")) : std::string();
  const std::string rest = fmt::format(", and the objective {} expects ", objective_name(given.objective));
  switch (given.objective) {
    case Objective::cross: return hidden_cell(hidden) + rest + "every real key to be visible";
    case Objective::bidirectional: return hidden_cell(hidden) + where + rest + "every real key to be visible";
    case Objective::block_causal:
    case Objective::chunked: return hidden_cell(hidden) + where + rest + chunks_text(given) + " to be visible";
    default: return hidden_cell(hidden) + where + rest + "every real earlier key to be visible";
  }
}

/// The window that the mask keeps is the one that its text names; nothing: it keeps or names none.
std::optional<bool> keeps_named_window(const LintCase& given, const Suggestion& states) {
  const SuggestedValue* window = states.find("window");
  if (!given.named_window || !window) return {};
  return window->value == ParameterValue(given.named_window->value);
}

/// What the mask keeps, and the same with the window that its text names if that is another one.
Finding purpose_question(const LintCase& given, const CellTally& hidden, const HiddenPurpose& purpose) {
  const std::string sentence = fmt::format("{}: the mask keeps {} if intended", hidden_cell(hidden), purpose.text());
  Finding asked = cell_question(hidden, sentence, {purpose.states});
  if (keeps_named_window(given, purpose.states).value_or(true)) return asked;
  const auto& [name, value] = *given.named_window;
  asked.sentence += fmt::format("; the text names {} = {}, which is a different number of keys", name, value);
  Suggestion named = purpose.states;
  for (SuggestedValue& each : named.settings)
    if (each.name == "window") each.value = value;
  asked.suggestions.push_back(std::move(named));
  return asked;
}

RulePlan key_hidden(const LintCase& given) {
  if (wants_window(given)) return skipped("see the rule window_off");
  if (given.sparse) return skipped("sparse: some keys are masked on purpose");
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  const bool back = looks_back(given.objective);
  const auto gives_questions = [&given] {
    return given.objective_assumed || given.extra_keys || hidden_on_purpose(given).has_value();
  };
  RulePlan plan;
  plan.probes = {{wanted_keys(given, back ? WantedPart::behind : WantedPart::all), true, true, gives_questions},
                 {own_keys(given.layout), true}};
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& hidden = tallies.cells[0];
    if (hidden.wrong == 0 || (given.extra_keys && looks_back(given.objective))) return;
    const auto purpose = hidden_on_purpose(given);
    // Nothing to ask: the text says so itself.
    if (purpose && purpose->states.settings.size() == 1 && keeps_named_window(given, purpose->states) == true) return;
    const std::string sentence = hidden_sentence(given, hidden);
    if (purpose)
      out.push_back(purpose_question(given, hidden, *purpose));
    else if (given.objective_assumed && tallies.cells[1].wrong == 0)
      out.push_back(cell_question(hidden,
                                  sentence + " (assumed): set objective, or sparse=true if keys are masked on purpose",
                                  {suggest("objective"), suggest("sparse", true)}));
    else
      out.push_back(cell_finding(Severity::error, hidden, sentence));
  };
  return plan;
}

}  // namespace

std::vector<LintRule> window_rules() {
  return {
      {{"window_off", "Window off", "The window contains exactly the keys with q_pos - kv_pos < window.",
        "Beltagy et al. 2020; transformers#39408, transformers#40700, vllm#3385"},
       window},
      {{"chunk_off", "Chunk off", "No query sees a key of another chunk.",
        "Llama 4, attention_chunk_size; transformers#37351"},
       chunk},
      {{"key_hidden", "Expected keys hidden",
        "A query sees every real key that the objective, window, document and chunk allow.",
        "pytorch#108108; transformers#41228"},
       key_hidden},
  };
}

}  // namespace vqscope
