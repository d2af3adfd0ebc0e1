// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/verdict/vq_verdicts.h"

#include "core/base/sentence.h"
#include "core/experiment/study/variant_study.h"
#include "core/method/verdict/verdict.h"
#include "core/method/verdict/verdict_parts.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace vqscope {
namespace {

constexpr double same_loss = 0.02;  ///< nats: perplexity differs by 2 %
constexpr double same_fraction = 0.05;
constexpr std::string_view of_passkeys = "fraction of passkeys";
constexpr double microseconds = 1e6;

std::string codewords(double count) { return verdict_number(count) + (count == 1 ? " codeword" : " codewords"); }

std::string percent_of(double fraction) { return to_text(std::round(1000 * fraction) / 10) + " %"; }

/// "2.27 nats (2.26 to 2.28)", or "97 % of the passkeys (94 % to 100 %)".
std::string loss_text(const CurveSet& curves, const VerdictLine& line, std::size_t i) {
  if (curves.y_title.starts_with(of_passkeys)) {
    std::string found = percent_of(line.at(i)) + " of the passkeys";
    if (line.band_at(i).empty()) return found;
    return fmt::format("{} ({} to {})", found, percent_of((*line.least)[i]), percent_of((*line.greatest)[i]));
  }
  return verdict_number(line.at(i)) + axis_title(curves.y_title).unit + line.band_at(i);
}

/// "VQ with XL needs 8 codewords: 2.27 nats (2.26 to 2.28); 2.61 nats with 1 codeword, 2.26 nats with 64".
std::string needed_codewords(const CurveSet& curves, const VerdictLine& line) {
  const std::string name = variant_name(line.name);
  const std::size_t last = curves.x.size() - 1;
  const auto [least, greatest] = std::ranges::minmax(*line.y);
  if (least == greatest) return fmt::format("{} has {}", name, loss_text(curves, line, last));
  std::size_t needed = 0;
  if (curves.y_title.starts_with(of_passkeys))
    while (line.at(needed) < greatest - same_fraction) ++needed;
  else
    while (line.at(needed) > least + same_loss) ++needed;
  const std::string begin =
      needed == 0 ? fmt::format("{} {} enough for {}: ", codewords(curves.x[0]), curves.x[0] == 1 ? "is" : "are", name)
                  : fmt::format("{} needs {}: ", name, codewords(curves.x[needed]));
  std::string text = begin + loss_text(curves, line, needed);
  std::vector<std::string> others;
  if (needed > 0) others.push_back(fmt::format("{} with {}", loss_text(curves, line, 0), codewords(curves.x[0])));
  if (needed < last)
    others.push_back(fmt::format("{} with {}", loss_text(curves, line, last), verdict_number(curves.x[last])));
  return others.empty() ? text : fmt::format("{}; {}", text, join(others, ", "));
}

/// "without its cache, VQ with XL loses 0.01 nats more (0.005 to 0.02)".
std::vector<std::string> cache_texts(const CurveSet& curves) {
  constexpr std::string_view beginning = "without_cache_more_vq";
  std::vector<std::string> parts;
  for (const auto& [name, value] : curves.facts) {
    if (!name.starts_with(beginning)) continue;
    const std::string id = name.substr(beginning.size() - 2);
    const auto least = fact_of(curves, "without_cache_more_least_" + id);
    const auto greatest = fact_of(curves, "without_cache_more_greatest_" + id);
    if (!least || !greatest) continue;
    parts.push_back(fmt::format("without its cache, the loss of {} is {}{} {} ({} to {})", variant_name(id),
                                verdict_number(std::abs(value)), axis_title(curves.y_title).unit,
                                value < 0 ? "lower" : "higher", verdict_number(value < 0 ? -*greatest : *least),
                                verdict_number(value < 0 ? -*least : *greatest)));
  }
  return parts;
}

/// "full_training": model and pass.
std::pair<std::string, std::string> model_and_pass(const std::string& curve) {
  const std::size_t end = curve.rfind('_');
  return {curve.substr(0, end), end == std::string::npos ? std::string() : curve.substr(end + 1)};
}

std::string model_words(const std::string& id) {
  if (id == "full") return "full attention";
  return id == "vq_without_cache" ? "VQ without cache" : id == "vq" ? "VQ" : id;
}

/// "23.5 µs with VQ (22 to 25)".
std::string token_time(const VerdictLine& line, std::size_t at) {
  std::string text = fmt::format("{} µs with {}", verdict_number(microseconds / line.at(at)),
                                 model_words(model_and_pass(line.name).first));
  if (line.band_at(at).empty()) return text;
  return text + fmt::format(" ({} to {})", verdict_number(microseconds / (*line.greatest)[at]),
                            verdict_number(microseconds / (*line.least)[at]));
}

/// The time of a token in one pass at the last length that all of its models have, and its growth
/// from the first.
std::string pass_text(const CurveSet& curves, const std::string& pass, const std::vector<VerdictLine>& lines) {
  std::size_t last = curves.x.size() - 1;
  const auto known = [&](const VerdictLine& line) { return line.at(last) > 0 && line.at(0) > 0; };
  while (last > 0 && !std::ranges::all_of(lines, known)) --last;
  if (last == 0) return {};
  std::vector<std::string> times, growths;
  for (const VerdictLine& line : lines) {
    times.push_back(token_time(line, last));
    growths.push_back(verdict_number(line.at(0) / line.at(last)) + " times");
  }
  return fmt::format("a token of {} takes {} at {} tokens, {} as long as at {}", pass, listed(times),
                     verdict_number(curves.x[last]), listed(growths), verdict_number(curves.x[0]));
}

}  // namespace

std::string codeword_verdict(const CurveSet& curves) {
  auto lines = verdict_lines(curves);
  if (lines.empty() || curves.x_name != "n_code" ||
      !(curves.y_title.starts_with("test loss") || curves.y_title.starts_with(of_passkeys))) {
    const std::string text = general_verdict(curves), what = axis_title(curves.y_title).words;
    return text.empty() || what.empty() ? text : what + " " + text;
  }
  const auto unlearnt = take_failed(lines);
  std::vector<std::string> parts;
  for (const VerdictLine& line : lines)
    if (std::ranges::all_of(*line.y, [](double loss) { return std::isfinite(loss); }))
      parts.push_back(needed_codewords(curves, line));
  for (std::string& part : cache_texts(curves)) parts.push_back(std::move(part));
  std::vector<std::string> names;
  for (const std::string& id : unlearnt) names.push_back(variant_name(id));
  if (!names.empty()) parts.push_back(listed(names) + " did not learn");
  return parts.empty() ? std::string() : join(parts, "; ") + seeds_text(curves);
}

std::string token_cost_verdict(const CurveSet& curves) {
  const auto lines = verdict_lines(curves);
  std::vector<std::string> passes, parts;
  for (const VerdictLine& line : lines) {
    const std::string pass = model_and_pass(line.name).second;
    if (!pass.empty() && std::ranges::count(passes, pass) == 0) passes.push_back(pass);
  }
  for (const std::string& pass : passes) {
    std::vector<VerdictLine> own;
    for (const VerdictLine& line : lines)
      if (model_and_pass(line.name).second == pass) own.push_back(line);
    if (std::string text = pass_text(curves, pass, own); !text.empty()) parts.push_back(std::move(text));
  }
  return join(parts, "; ");
}

}  // namespace vqscope
