// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/verdict/experiment_verdicts.h"

#include "core/base/sentence.h"
#include "core/experiment/corpus/corpus.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/study/variant_study.h"
#include "core/experiment/verdict/context_verdicts.h"
#include "core/experiment/verdict/vq_verdicts.h"
#include "core/method/verdict/verdict.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

std::string occupancy_verdict(const CurveSet& curves) {
  const auto occupied = fact_of(curves, "occupied"), perplexity = fact_of(curves, "perplexity");
  if (!occupied || !perplexity) return general_verdict(curves);
  return fmt::format("{} of {} codewords have keys; their use has a perplexity of {}", verdict_number(*occupied),
                     grouped(std::ssize(curves.x)), verdict_number(*perplexity));
}

std::string cache_verdict(const CurveSet& curves) {
  const auto occupied = fact_of(curves, "occupied"), keys = fact_of(curves, "keys"), blocks = fact_of(curves, "blocks");
  if (!occupied || !keys || !blocks) return general_verdict(curves);
  return fmt::format("after {} blocks, {} keys are kept as counts of {} of {} codewords", verdict_number(*blocks),
                     verdict_number(*keys), verdict_number(*occupied), grouped(std::ssize(curves.x)));
}

std::string theorem_verdict(const CurveSet& curves) {
  const auto ratio = fact_of(curves, "ratio"), expected = fact_of(curves, "expected_ratio");
  if (!ratio || !expected) return general_verdict(curves);
  std::string text = fmt::format("the error of scores is {} times that of keys; theorem 2.2 expects {}",
                                 to_text(*ratio, 4), to_text(*expected, 4));
  const auto second = fact_of(curves, "second_nearest_over_nearest"), random = fact_of(curves, "random_over_nearest");
  if (second) text += fmt::format("; the second nearest codeword has {} times the error", to_text(*second, 3));
  if (random) text += fmt::format("; a random codeword has {} times the error", to_text(*random, 3));
  return text;
}

/// What may help a model that did not learn. More steps do not where its layers cannot see the answer.
std::string training_advice(const CurveSet& curves) {
  const auto reach = fact_of(curves, "reach"), needed = fact_of(curves, "needed_reach");
  if (!reach || !needed) return "train for more steps or with another learning rate";
  return fmt::format(
      "more steps do not help: its layers see {} tokens back, the answer is at least {} back in the largest problems",
      verdict_number(*reach), verdict_number(*needed));
}

/// "2.31 bits per byte on 17,459 bytes that it was not trained on (windows of 64, stride 32)" and
/// what an answer costs; empty: no text was tested.
std::string text_score_words(const CurveSet& curves) {
  const auto bits = fact_of(curves, "bits_per_byte"), bytes = fact_of(curves, "scored_bytes");
  const auto window = fact_of(curves, "window"), stride = fact_of(curves, "stride");
  if (!bits || !bytes || !window || !stride) return {};
  std::string text =
      fmt::format("{} bits per byte on {} bytes that it was not trained on (windows of {}, stride {})",
                  verdict_number(*bits), verdict_number(*bytes), verdict_number(*window), verdict_number(*stride));
  const auto answer = fact_of(curves, "answer_bits"), best = fact_of(curves, "best_answer_bits");
  if (!answer || !best) return text;
  const bool competent = *answer <= competent_answer_bits;
  text +=
      fmt::format("; an answer costs {} bits, of which {} {} unavoidable with {} bytes of context",
                  verdict_number(*answer), verdict_number(*best), *best == 1 ? "is" : "are", verdict_number(*window));
  if (!competent) text += fmt::format(": the model is not competent, which takes at most {}", competent_answer_bits);
  return text;
}

/// The last loss beside those of a guess and of a reader who knows the rules, which are levels.
std::string training_verdict(const CurveSet& curves) {
  constexpr double learnt = 0.95;  // of the loss of a guess
  const auto lines = verdict_lines(curves);
  if (lines.empty() || curves.levels.empty()) return general_verdict(curves);
  const std::vector<double>& losses = *lines.front().y;
  const auto last = std::find_if(losses.rbegin(), losses.rend(), [](double loss) { return std::isfinite(loss); });
  const double guessing = curves.levels.front().y;
  const auto steps = verdict_number(curves.x[static_cast<std::size_t>(losses.rend() - last) - 1]);
  const std::string unit = axis_title(curves.y_title).unit;
  if (*last > learnt * guessing)
    return fmt::format("the model did not learn: its loss is {}{} after {} steps, guessing has {}; {}",
                       verdict_number(*last), unit, steps, verdict_number(guessing), training_advice(curves));
  const std::string tested = text_score_words(curves);
  const auto best = fact_of(curves, "best_bits_per_byte");
  if (!tested.empty())
    return fmt::format("{}; guessing has {}{}", tested, verdict_number(guessing),
                       best ? fmt::format(", knowing the rules {}", verdict_number(*best)) : std::string());
  const std::string known =
      curves.levels.size() > 1 ? fmt::format(", knowing the rules {}", verdict_number(curves.levels[1].y)) : "";
  return fmt::format("the loss is {}{} after {} steps; guessing has {}{}", verdict_number(*last), unit, steps,
                     verdict_number(guessing), known);
}

/// "nope, bidirectional": the last losses of models without positions and of the best with positions.
std::string masked_verdict(const CurveSet& curves) {
  const auto entropy = fact_of(curves, "token_entropy");
  const auto plain = fact_of(curves, "nope, bidirectional"), causal = fact_of(curves, "nope, causal");
  if (!entropy || !plain) return general_verdict(curves);
  std::string text = fmt::format("without positions, a bidirectional model has a loss of {} nats on masked tokens",
                                 verdict_number(*plain));
  const Curve* best = nullptr;
  for (const Curve& curve : curves.curves)
    if (!curve.name.starts_with("nope") && curve.name.ends_with("bidirectional") && !curve.y.empty() &&
        (!best || curve.y.back() < best->y.back()))
      best = &curve;
  if (best)
    text += fmt::format(", with positions {} ({})", verdict_number(best->y.back()),
                        best->name.substr(0, best->name.find(',')));
  if (causal) text += fmt::format("; under a causal mask, without positions, {}", verdict_number(*causal));
  return text + fmt::format("; the frequencies of the tokens give {}", verdict_number(*entropy));
}

/// A fact NAME_passed is 0 for a test that failed.
std::string mask_test_verdict(const CurveSet& curves) {
  constexpr std::string_view ending = "_passed";
  std::vector<std::string> failed;
  Index passed = 0;
  double largest = 0;
  for (const auto& [name, value] : curves.facts) {
    if (!name.ends_with(ending)) continue;
    const std::string test = name.substr(0, name.size() - ending.size());
    largest = std::max(largest, fact_of(curves, test + "_largest").value_or(0));
    if (value != 0) {
      ++passed;
      continue;
    }
    const auto first = fact_of(curves, test + "_first");
    failed.push_back(first ? fmt::format("{} fails from token {}", test, plain_text(*first)) : test + " fails");
  }
  if (!failed.empty()) return listed(failed);
  if (passed == 0) return {};
  return fmt::format("all {} tests pass: no logit changes by more than {}", passed, verdict_number(largest));
}

std::string table_verdict(const CurveSet& curves) {
  constexpr std::string_view beginning = "speed_up_";
  std::vector<std::string> parts;
  for (const auto& [name, value] : curves.facts)
    if (name.starts_with(beginning) && fact_of(curves, name))
      parts.push_back(fmt::format("{} times for {}", verdict_number(value), name.substr(beginning.size())));
  if (parts.empty() || curves.x.empty()) return general_verdict(curves);
  return fmt::format("at {} tokens, VQ speeds up attention {}", verdict_number(curves.x.back()), listed(parts));
}

/// How much faster than full attention each model is, at the largest length at which both were measured.
std::string throughput_verdict(const CurveSet& curves) {
  if (curves.y_title == "tokens per second")
    if (std::string text = token_cost_verdict(curves); !text.empty()) return text;
  constexpr std::string_view beginning = "speed_up_";
  std::vector<std::string> parts;
  for (const auto& [name, value] : curves.facts) {
    const auto length = fact_of(curves, "length_of_" + name);
    if (!name.starts_with(beginning) || !length) continue;
    parts.push_back(fmt::format("{} is {} times as fast as full attention at {} tokens", name.substr(beginning.size()),
                                verdict_number(value), verdict_number(*length)));
  }
  return parts.empty() ? general_verdict(curves) : listed(parts);
}

/// Where each memory has lost half of a value.
std::string capacity_verdict(const CurveSet& curves) {
  constexpr double half = 0.5;
  if (curves.x.empty() || !curves.y_title.starts_with("|read")) return general_verdict(curves);
  std::vector<std::string> parts;
  for (const VerdictLine& line : verdict_lines(curves)) {
    const auto lost = std::ranges::find_if(*line.y, [](double error) { return error > half; });
    const auto at = static_cast<std::size_t>(lost - line.y->begin());
    if (at >= curves.x.size() || line.name.find("_by_token") != std::string::npos) continue;
    parts.push_back(fmt::format("{} with {}", verdict_number(curves.x[at]), line.name));
  }
  if (parts.empty()) return "no memory loses half of a value";
  return fmt::format("half of a value is lost from so many pairs on: {}", listed(parts));
}

std::string query_verdict(const CurveSet& curves) {
  const auto query = fact_of(curves, "query"), share = fact_of(curves, "memory_share");
  if (!query || !share) return general_verdict(curves);
  const auto rank = fact_of(curves, "rank_of_planted_key");
  const std::string planted =
      rank ? fmt::format("the planted key has rank {}, and ", plain_text(*rank)) : std::string();
  return fmt::format("of query {}, {}the memory gets {} % of the weight", grouped(static_cast<Index>(*query)), planted,
                     verdict_number(100 * *share));
}

std::string xl_verdict(const CurveSet& curves) {
  const auto ratio = fact_of(curves, "full_over_xl");
  if (!ratio || curves.x.empty()) return general_verdict(curves);
  return fmt::format("at {} tokens, full attention costs {} times as much as Transformer-XL",
                     verdict_number(curves.x.back()), verdict_number(*ratio));
}

std::string gradient_verdict(const CurveSet& curves) {
  const auto ratio = fact_of(curves, "without_over_with");
  if (!ratio || curves.x.empty()) return general_verdict(curves);
  return fmt::format("after {} segments, gradients have {} times as many paths without the stop-gradient",
                     verdict_number(curves.x.back()), verdict_number(*ratio));
}

std::string cache_size_verdict(const CurveSet& curves) {
  const auto bytes = fact_of(curves, "bytes"), longest = fact_of(curves, "longest");
  if (!bytes || curves.x.empty()) return general_verdict(curves);
  std::string text = fmt::format("{} tokens need {}", verdict_number(curves.x.back()), byte_count(*bytes));
  if (longest) text += fmt::format("; the memory holds {} tokens", verdict_number(*longest));
  return text;
}

std::string order_verdict(const CurveSet& curves) {
  const auto before = fact_of(curves, "quantise_first"), after = fact_of(curves, "rotate_first"),
             clipped = fact_of(curves, "quantise_first_clipped"), clip = fact_of(curves, "clip_alone");
  if (!before || !after || curves.x.empty()) return general_verdict(curves);
  std::string text = fmt::format(
      "at {} tokens, codewords for rotated keys have an error of {}, codewords rotated afterwards one of {}",
      verdict_number(curves.x.back()), verdict_number(*after), verdict_number(*before));
  if (clipped && clip)
    text += fmt::format("; with clipped distances {}, of which the clip alone has {}", verdict_number(*clipped),
                        verdict_number(*clip));
  return text;
}

std::string sink_verdict(const CurveSet& curves) {
  const auto sink = fact_of(curves, "sink_weight");
  if (!sink) return general_verdict(curves);
  return fmt::format("the sink takes {} % of the weight", verdict_number(100 * *sink));
}

// With the names of the catalogue.

std::string extrapolation_of_variants(const CurveSet& curves) {
  if (curves.y_title == cache_share_title) return general_verdict(curves);
  const ModelNames names = [](const std::string& id) { return variant_name(id); };
  return extrapolation_verdict(curves, names);
}

std::string accuracy_of_variants(const CurveSet& curves) {
  const ModelNames names = [](const std::string& id) { return variant_name(id); };
  return accuracy_verdict(curves, names);
}

struct OwnVerdict {
  std::string_view id;
  std::string (*make)(const CurveSet&);
};

constexpr std::array own_verdicts{OwnVerdict{"length_extrapolation", extrapolation_of_variants},
                                  OwnVerdict{"length_generalisation", accuracy_of_variants},
                                  OwnVerdict{"train_model", training_verdict},
                                  OwnVerdict{"vq_model", codeword_verdict},
                                  OwnVerdict{"vq_extrapolation", growth_verdict},
                                  OwnVerdict{"vq_throughput", speed_verdict},
                                  OwnVerdict{"vq_decode", speed_verdict},
                                  OwnVerdict{"memorizing_cost", speed_verdict},
                                  OwnVerdict{"vq_table", table_verdict},
                                  OwnVerdict{"train_throughput", throughput_verdict},
                                  OwnVerdict{"vq_occupancy", occupancy_verdict},
                                  OwnVerdict{"vq_cache_codes", cache_verdict},
                                  OwnVerdict{"vq_theorem_2_2", theorem_verdict},
                                  OwnVerdict{"vq_rotation_orders", order_verdict},
                                  OwnVerdict{"masked_language", masked_verdict},
                                  OwnVerdict{"mask_test", mask_test_verdict},
                                  OwnVerdict{"infini_capacity", capacity_verdict},
                                  OwnVerdict{"memorizing_query", query_verdict},
                                  OwnVerdict{"long_context_costs", context_verdict},
                                  OwnVerdict{"xl_costs", xl_verdict},
                                  OwnVerdict{"xl_gradient_paths", gradient_verdict},
                                  OwnVerdict{"kv_cache", cache_size_verdict},
                                  OwnVerdict{"sink_softmax", sink_verdict}};

}  // namespace

std::function<std::string(const CurveSet&)> experiment_verdict(std::string_view id) {
  const auto* const own = std::ranges::find(own_verdicts, id, &OwnVerdict::id);
  return own == own_verdicts.end() ? general_verdict : own->make;
}

}  // namespace vqscope
