// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/relation.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace vqscope {
namespace {

/// A comparison waits for its counts; the description is an addition to them.
constexpr Index most_relation_steps = most_steps_of_an_answer / 4;

using Terms = std::vector<std::string>;

Terms without(const Terms& terms, const Terms& others) {
  Terms left;
  std::ranges::copy_if(terms, std::back_inserter(left),
                       [&](const std::string& term) { return std::ranges::count(others, term) == 0; });
  return left;
}

std::string_view head_of(std::string_view term) { return term.substr(0, term.find(' ')); }

/// "window 128" is "a window of 128", and so on.
std::string phrase(const std::string& term) {
  const std::string rest = term.size() > head_of(term).size() ? term.substr(head_of(term).size() + 1) : std::string();
  const bool is_number = !rest.empty() && rest.find_first_not_of("0123456789") == std::string::npos;
  if (term == "causal") return "the causal condition";
  if (is_number && head_of(term) == "sinks") return rest + (rest == "1" ? " sink" : " sinks");
  if (is_number && (head_of(term) == "window" || head_of(term) == "prefix"))
    return fmt::format("a {} of {}", head_of(term), rest);
  return term;
}

/// "with a window of 129 in place of a window of 128 and without 4 sinks".
std::string change(const Terms& lost, const Terms& gained) {
  Terms with;
  Terms left = lost;
  for (const std::string& term : gained) {
    const auto former =
        std::ranges::find_if(left, [&](const std::string& each) { return head_of(each) == head_of(term); });
    with.push_back(phrase(term));
    if (former == left.end()) continue;
    with.back() += " in place of " + phrase(*former);
    left.erase(former);
  }
  std::ranges::transform(left, left.begin(), phrase);
  Terms all;
  if (!with.empty()) all.push_back("with " + listed(with));
  if (!left.empty()) all.push_back("without " + listed(left));
  return join(all, " and ");
}

}  // namespace

std::string relation_sentence(const Recognition& first, const Recognition& second, const std::string& first_name,
                              const std::string& second_name) {
  if (!first.is_exact() || !second.is_exact()) return {};
  const Terms lost = without(first.terms, second.terms), gained = without(second.terms, first.terms);
  if (lost.empty() && gained.empty()) return {};
  const bool shares = lost.empty() || gained.empty() || lost.size() < first.terms.size();
  if (shares) return fmt::format("{} is {} {}", second_name, first_name, change(lost, gained));
  return fmt::format("{} is {}, {} is {}", first_name, first.sentence, second_name, second.sentence);
}

std::string relation_of(const Mask& first, const Mask& second, const std::string& first_name,
                        const std::string& second_name, const std::stop_token& stop) {
  const auto a = recognise(first, {.most_steps = most_relation_steps, .stop = stop});
  if (!a) return {};
  const auto b = recognise(second, {.most_steps = most_relation_steps, .stop = stop});
  return b ? relation_sentence(*a, *b, first_name, second_name) : std::string();
}

}  // namespace vqscope
