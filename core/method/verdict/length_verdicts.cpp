// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences on what happens beyond a length or size of training.
#include "core/base/sentence.h"
#include "core/method/verdict/verdict.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqscope {
namespace {

constexpr double kept_loss = 0.02;   ///< nats: perplexity grows by 2 %
constexpr double kept_error = 1.05;  ///< factor
constexpr std::size_t most_named = 4;
constexpr std::string_view answer_bits = "answer_bits_at_training_length_";

/// The last x at which every line has a number.
std::size_t last_known(const CurveSet& curves, const std::vector<VerdictLine>& lines) {
  std::size_t at = curves.x.size() - 1;
  const auto known = [&](const VerdictLine& line) { return std::isfinite(line.at(at)); };
  while (at > 0 && !std::ranges::all_of(lines, known)) --at;
  return at;
}

/// At most four, then how many more.
std::string listed_briefly(std::vector<std::string> items) {
  if (items.size() <= most_named + 1) return listed(items);
  const std::size_t more = items.size() - most_named;
  items.resize(most_named);
  items.push_back(fmt::format("{} more", more));
  return listed(items);
}

void append(std::string& sentence, const std::string& part) {
  if (!part.empty()) sentence += (sentence.empty() ? "" : "; ") + part;
}

/// What each model that did not learn reached where it was trained, from the fact `prefix` + id.
struct Reached {
  std::string_view prefix;
  std::string (*text)(double value);
  const ModelNames& name_of;
};

/// "NoPE (2.91 nats)".
std::string named(const CurveSet& curves, const std::string& id, const Reached& reached) {
  const auto value = fact_of(curves, std::string(reached.prefix) + id);
  return reached.name_of(id) + (value ? fmt::format(" ({})", reached.text(*value)) : std::string());
}

/// "NoPE (2.91 nats) did not learn".
std::string failed_text(const CurveSet& curves, const std::vector<std::string>& ids, const Reached& reached) {
  if (ids.empty()) return {};
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(named(curves, id, reached));
  return listed_briefly(names) + " did not learn";
}

/// "; train for more than 250 steps", of a set that has its number of steps.
std::string advice(const CurveSet& curves) {
  const auto steps = fact_of(curves, "steps");
  return steps ? fmt::format("; train for more than {} steps", verdict_number(*steps)) : std::string();
}

/// Whether the data ask: competence is then of answers.
bool has_answers(const CurveSet& curves) {
  return std::ranges::any_of(curves.facts, [](const auto& fact) { return fact.first.starts_with(answer_bits); });
}

/// "VQ without cache (4 bits an answer) cannot know the answers: its layers see 32 tokens back, they are at least 65
/// back", and of models that could, that they did not learn.
std::string unlearnt_answers(const CurveSet& curves, const std::vector<std::string>& ids, const ModelNames& name_of) {
  const Reached reached{answer_bits, [](double bits) { return verdict_number(bits) + " bits an answer"; }, name_of};
  std::vector<std::string> able = ids;
  std::erase_if(able, [&](const std::string& id) { return fact_of(curves, "reach_" + id).has_value(); });
  std::string text = failed_text(curves, able, reached);
  if (const auto needed = fact_of(curves, "competence"); !text.empty() && needed)
    text += fmt::format(": an answer of at most {} bit at the training length is needed", verdict_number(*needed)) +
            advice(curves);
  const auto back = fact_of(curves, "needed_reach");
  for (const std::string& id : ids) {
    const auto reach = fact_of(curves, "reach_" + id);
    if (reach && back)
      append(text, fmt::format("{} cannot know the answers: its layers see {} tokens back, which are at least {} back",
                               named(curves, id, reached), verdict_number(*reach), verdict_number(*back)));
  }
  return text;
}

/// Why models have no rank, by their losses.
std::string unlearnt_loss(const CurveSet& curves, const std::vector<std::string>& ids, const ModelNames& name_of) {
  if (has_answers(curves)) return unlearnt_answers(curves, ids, name_of);
  const bool bits = curves.y_title.find("bits") != std::string::npos;
  const auto shown = bits ? +[](double loss) { return verdict_number(loss) + " bits per byte"; }
                          : [](double loss) { return verdict_number(loss) + " nats"; };
  std::string text = failed_text(curves, ids, {"loss_at_training_length_", shown, name_of});
  const auto needed = fact_of(curves, "competence"), guessing = fact_of(curves, "guessing_loss");
  if (text.empty() || !needed || !guessing) return text;
  return text +
         fmt::format(": a loss of {} at the training length is needed, guessing has {}", verdict_number(*needed),
                     verdict_number(*guessing)) +
         advice(curves);
}

/// "VQ without cache cannot learn the task: its layers see 32 tokens back; the answer is at least 46
/// back in the largest problems of training", of models that no training helps.
std::string beyond_reach(const CurveSet& curves, const std::vector<std::string>& ids, const ModelNames& name_of) {
  std::vector<std::string> parts;
  for (const std::string& id : ids)
    if (const auto reach = fact_of(curves, "reach_" + id))
      parts.push_back(
          fmt::format("{} cannot learn the task: its layers see {} tokens back", name_of(id), verdict_number(*reach)));
  const auto needed = fact_of(curves, "needed_reach");
  if (parts.empty() || !needed) return {};
  return fmt::format("{}; the answer is at least {} back in the largest problems of training", join(parts, "; "),
                     verdict_number(*needed));
}

std::string percent(double fraction) { return to_text(std::round(1000 * fraction) / 10) + " %"; }

/// " (95 % to 100 %)", the band there; empty: there is none.
std::string percent_band(const VerdictLine& line, std::size_t at) {
  if (line.band_at(at).empty()) return {};
  return fmt::format(" ({} to {})", percent((*line.least)[at]), percent((*line.greatest)[at]));
}

/// The same, by the fractions of problems that they solve.
std::string unlearnt_fraction(const CurveSet& curves, const std::vector<std::string>& ids, const ModelNames& name_of) {
  std::vector<std::string> able = ids;
  std::erase_if(able, [&](const std::string& id) { return fact_of(curves, "reach_" + id).has_value(); });
  std::string text = failed_text(curves, able, {"at_largest_in_training_", percent, name_of});
  const auto needed = fact_of(curves, "competence");
  if (!text.empty() && needed)
    text += fmt::format(": {} correct at the largest size in training are needed", percent(*needed)) + advice(curves);
  append(text, beyond_reach(curves, ids, name_of));
  return text;
}

/// One model beyond its training length.
struct Loss {
  std::string name;
  std::string before;  ///< "keeps its loss to 2× and "; empty: it does not
  std::string amount;
  std::string band;  ///< " (0.4 to 0.6)"
  double gap = 0;
};

/// A difference of losses to four decimals; smaller ones do not matter here.
std::string small_loss(double difference) {
  constexpr double decimals = 1e4;
  return verdict_number(std::round(decimals * difference) / decimals + 0.0);  // not -0
}

/// "ALiBi (0.004 nats more, 0.001 to 0.006)", which keeps its loss.
std::string keeper_text(const CurveSet& curves, const VerdictLine& line, std::size_t base, std::size_t last,
                        const ModelNames& name_of) {
  const double gap = line.at(last) - line.at(base);
  std::string text = fmt::format("{} ({}{} {}", name_of(line.name), small_loss(std::abs(gap)),
                                 axis_title(curves.y_title).unit, gap < 0 ? "less" : "more");
  if (line.at(base) == 0 && !line.band_at(last).empty())
    text += fmt::format(", {} to {}", small_loss((*line.least)[last]), small_loss((*line.greatest)[last]));
  return text + ")";
}

/// The last x up to which the loss stays.
std::size_t kept_until(const VerdictLine& line, std::size_t base, std::size_t last) {
  std::size_t at = base;
  while (at < last && line.at(at + 1) - line.at(base) <= kept_loss) ++at;
  return at;
}

Loss loss_of(const CurveSet& curves, const VerdictLine& line, std::size_t base, std::size_t last,
             const ModelNames& name_of) {
  const double gap = line.at(last) - line.at(base);
  const std::size_t kept = kept_until(line, base, last);
  const std::string band = line.at(base) == 0 ? line.band_at(last) : std::string();
  const std::string before =
      kept > base ? fmt::format("keeps its loss to {} and ", multiple_text(curves, base, kept)) : std::string();
  return {name_of(line.name), before, verdict_number(gap), band, gap};
}

/// Of a few models each with how far it keeps its loss, of more their amounts at the last x alone.
std::string losses_text(std::vector<Loss> losses, const std::string& where, const std::string& unit) {
  constexpr std::size_t few = 2, most = 5;
  std::ranges::stable_sort(losses, {}, &Loss::gap);
  std::vector<std::string> parts;
  for (const Loss& loss : losses) {
    const std::string amount = loss.amount + unit + loss.band;
    if (losses.size() <= few)
      parts.push_back(fmt::format("{} {}loses {} at {}", loss.name, loss.before, amount, where));
    else
      parts.push_back(parts.empty() ? fmt::format("at {}, {} loses {}", where, loss.name, amount)
                                    : fmt::format("{} {}{}", loss.name, loss.amount, loss.band));
  }
  if (losses.size() <= few) return join(parts, "; ");
  if (parts.size() > most + 1) {
    const std::size_t more = parts.size() - most;
    parts.resize(most);
    parts.push_back(fmt::format("{} more up to {}", more, losses.back().amount));
  }
  return listed(parts);
}

/// "VQ with XL has 0.126 nats more at 2048×", of lines that go on where others are skipped.
std::string longer_text(const CurveSet& curves, const std::vector<VerdictLine>& lines, std::size_t base,
                        std::size_t last, const ModelNames& name_of) {
  if (std::ranges::none_of(curves.facts, [](const auto& fact) { return fact.first.ends_with("_skipped_from"); }))
    return {};
  constexpr std::size_t few = 3;
  std::vector<std::string> parts;
  for (const VerdictLine& line : lines) {
    std::size_t end = curves.x.size() - 1;
    while (end > last && std::isnan(line.at(end))) --end;
    if (end == last || parts.size() == few) continue;
    const double gap = line.at(end) - line.at(base);
    parts.push_back(fmt::format("{} has {}{} {} at {}", name_of(line.name), small_loss(std::abs(gap)),
                                axis_title(curves.y_title).unit, gap < 0 ? "less" : "more",
                                multiple_text(curves, base, end)));
  }
  return listed(parts);
}

/// The last x up to which the line has at least half of the answers.
std::size_t solved_until(const VerdictLine& line, std::size_t base, std::size_t last) {
  constexpr double half = 0.5;
  std::size_t at = base;
  while (at < last && line.at(at + 1) >= half) ++at;
  return at;
}

/// "70 % of the answers are correct at 2× the largest size in training with ALiBi", which comes
/// farthest.
std::string farthest(const CurveSet& curves, const std::vector<VerdictLine>& lines, std::size_t base, std::size_t last,
                     const ModelNames& name_of) {
  const auto reach = [&](const VerdictLine& line) {
    const std::size_t at = solved_until(line, base, last);
    return std::pair(at, line.at(at));
  };
  const auto [at, most] = reach(std::ranges::max(lines, {}, reach));
  std::vector<std::string> names;
  std::string band;
  for (const VerdictLine& line : lines)
    if (reach(line) == std::pair(at, most)) {
      names.push_back(name_of(line.name));
      band = percent_band(line, at);
    }
  if (names.size() > 1) band.clear();
  const bool tokens = curves.y_title.find("tokens") != std::string::npos;
  std::string sentence =
      fmt::format("{}{} of the {} are correct at {} the largest size in training with {}", percent(most), band,
                  tokens ? "tokens" : "answers", multiple_text(curves, base, at), listed_briefly(names));
  if (at < last) sentence += "; beyond, no model has half of them";
  return sentence;
}

}  // namespace

std::string extrapolation_verdict(const CurveSet& curves, const ModelNames& name_of) {
  auto lines = verdict_lines(curves);
  const auto base = marked_index(curves);
  if (lines.empty() || !base) return general_verdict(curves);
  const auto unlearnt = take_failed(lines);
  const std::size_t last = last_known(curves, lines);
  if (last <= *base)
    return unlearnt.empty() ? std::string() : unlearnt_loss(curves, unlearnt, name_of) + seeds_text(curves);
  std::vector<std::string> keepers;
  std::vector<Loss> losses;
  for (const VerdictLine& line : lines) {
    if (kept_until(line, *base, last) == last)
      keepers.push_back(keeper_text(curves, line, *base, last, name_of));
    else
      losses.push_back(loss_of(curves, line, *base, last, name_of));
  }
  std::string sentence;
  if (!keepers.empty())
    sentence = fmt::format("{} {} loss to {}", listed_briefly(keepers),
                           keepers.size() == 1 ? "keeps its" : "keep their", multiple_text(curves, *base, last));
  if (!losses.empty())
    append(sentence,
           losses_text(std::move(losses), multiple_text(curves, *base, last), axis_title(curves.y_title).unit));
  append(sentence, longer_text(curves, lines, *base, last, name_of));
  append(sentence, unlearnt_loss(curves, unlearnt, name_of));
  return sentence + seeds_text(curves);
}

std::string accuracy_verdict(const CurveSet& curves, const ModelNames& name_of) {
  auto lines = verdict_lines(curves);
  const auto base = marked_index(curves);
  if (lines.empty() || !base) return general_verdict(curves);
  const auto unlearnt = take_failed(lines);
  const std::size_t last = last_known(curves, lines);
  std::string sentence = lines.empty() || last <= *base ? std::string() : farthest(curves, lines, *base, last, name_of);
  append(sentence, unlearnt_fraction(curves, unlearnt, name_of));
  return sentence.empty() ? sentence : sentence + seeds_text(curves);
}

std::string growth_verdict(const CurveSet& curves) {
  auto lines = verdict_lines(curves);
  const auto base = marked_index(curves);
  if (lines.empty() || !base) return general_verdict(curves);
  const std::size_t last = last_known(curves, lines);
  if (last <= *base) return general_verdict(curves);
  struct Growth {
    const VerdictLine* line;
    double factor;
  };
  std::vector<std::string> keepers;
  std::vector<Growth> growing;
  std::ranges::stable_sort(lines, {}, [&](const VerdictLine& line) { return line.at(last) / line.at(*base); });
  for (const VerdictLine& line : lines) {
    const double factor = line.at(last) / line.at(*base);
    if (!std::isfinite(factor)) continue;
    if (factor <= kept_error)
      keepers.push_back(line.name);
    else
      growing.push_back({&line, factor});
  }
  const std::string title = axis_title(curves.y_title).words;
  const std::string what = title.substr(0, title.find(" |"));  // without the formula
  const std::string at = multiple_text(curves, *base, last);
  std::string sentence;
  if (!keepers.empty())
    sentence = fmt::format("the {} of {} stays to {} the training length", what, listed_briefly(keepers), at);
  const auto grown = [&](const Growth& growth) {
    return fmt::format("{} times with {} (to {}{})", verdict_number(growth.factor), growth.line->name,
                       verdict_number(growth.line->at(last)), growth.line->band_at(last));
  };
  if (growing.size() == 1)
    append(sentence, fmt::format("the {} grows {} at {} the training length", what, grown(growing.front()), at));
  else if (!growing.empty())
    append(sentence, fmt::format("the {} grows between {} and {} at {} the training length", what,
                                 grown(growing.front()), grown(growing.back()), at));
  return sentence + seeds_text(curves);
}

}  // namespace vqscope
