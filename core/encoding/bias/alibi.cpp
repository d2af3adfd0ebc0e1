// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/bias_values.h"

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/snippet/python.h"

#include <bit>
#include <cmath>

namespace vqscope {
namespace {

struct Alibi {
  double slope = 0;
  bool bidirectional = false;
  double left_offset = 0;  ///< in slopes

  explicit Alibi(const ParameterValues& values) : bidirectional(values.boolean("bidirectional")) {
    const auto how = values.choice("slopes") == "plain" ? AlibiSlopes::plain : AlibiSlopes::authors;
    slope = alibi_slopes(values.integer("num_heads"), how)[static_cast<std::size_t>(values.integer("head"))];
    left_offset = bidirectional && values.choice("left_offset") == "half" ? 0.5 : 0;
  }

  RelativeFunction function() const {
    const auto line = [s = slope](double d) { return s * d; };
    if (!bidirectional) return {{smooth_from(before_all, line)}};
    return {{smooth_from(before_all, [s = slope, up = left_offset](double d) { return s * (d + up); }),
             smooth_from(0, [s = slope](double d) { return 0 - s * d; })}};
  }

  std::string why(Index relative) const {
    const std::string m = "slope " + to_text(slope, 6);
    if (relative == 0) return "k is q: 0";
    if (!bidirectional && relative > 0)
      return fmt::format("{}: the line goes on upwards, {} · {}, and a causal mask hides it", place_text(relative), m,
                         grouped(relative));
    std::string text = fmt::format("{}: −{} · {}", place_text(relative), m, grouped(std::abs(relative)));
    return left_offset > 0 && relative < 0 ? text + ", and half a slope to tell left from right" : text;
  }
};

std::vector<ParameterSpec> alibi_parameters() {
  const std::string group = "ALiBi";
  auto specs = head_parameters(group);
  add_parameter(specs, "slopes", group,
                "How slopes are derived from num_heads; the two differ unless it is a power of two.",
                {.default_value = std::string("authors"),
                 .choices = {{"authors", "get_slopes of the authors' code; also ggml"},
                             {"plain", "2^(-8 (head + 1) / num_heads) for any num_heads: attention-gym, meliad"}}});
  add_parameter(specs, "bidirectional", group,
                "True (encoder): the penalty uses the absolute distance. False (decoder): it is linear in "
                "the signed distance, and a causal mask hides the keys after the query.",
                {.default_value = false});
  add_parameter(specs, "left_offset", group, "What distinguishes keys before and after the query when bidirectional.",
                {.default_value = std::string("none"),
                 .choices = {{"none", "nothing: the bias is symmetric"},
                             {"half", "half a slope more for keys before the query: DeepMind's randomized positions"}},
                 .relevant = {{"bidirectional", {"true"}}}});
  return specs;
}

void write_alibi(const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("num_heads, head = {}, {}\n\n", values.integer("num_heads"), values.integer("head")));
  python.line(
      "def slopes(n):\n"
      "    return [2 ** (-8 * (h + 1) / n) for h in range(n)]\n\n");
  if (values.choice("slopes") == "plain")
    python.line("slope = slopes(num_heads)[head]");
  else
    python.line(
        "below = 2 ** (num_heads.bit_length() - 1)  # the power of two at or below num_heads\n"
        "slope = (slopes(below) + slopes(2 * below)[0::2])[head]");
  if (!values.boolean("bidirectional")) {
    python.line("result = -slope * distance  # added to q·k/√d under a causal mask");
    return;
  }
  python.line("result = -slope * abs(distance)  # added to q·k/√d");
  if (values.choice("left_offset") == "half") python.line("result = result + 0.5 * slope * (distance > 0)");
}

}  // namespace

std::vector<double> alibi_slopes(Index num_heads, AlibiSlopes slopes) {
  const auto powers = [](Index heads) {
    std::vector<double> all;
    for (Index h = 0; h < heads; ++h)
      all.push_back(std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads)));
    return all;
  };
  const auto below = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(num_heads)));
  if (slopes == AlibiSlopes::plain || below == num_heads) return powers(num_heads);
  auto all = powers(below);
  const auto next = powers(2 * below);
  for (std::size_t h = 0; static_cast<Index>(all.size()) < num_heads; h += 2) all.push_back(next[h]);
  return all;
}

Method alibi_method() {
  return relative_method(
      {.id = "alibi",
       .title = "ALiBi",
       .category = "biases",
       .help = "The fixed penalty, linear in distance, that ALiBi adds to the scaled score.",
       .citation = {"Press et al. 2022, Train Short, Test Long, section 3",
                    "ofirpress/attention_with_linear_biases, get_slopes in fairseq's transformer.py"},
       .traits = EncodingTraits{.relative = true,
                                .extrapolation =
                                    "Perplexity stays flat up to 24× the training length (Press et al. 2022, table 2).",
                                .note = {.trade_off = "No parameters, one addition per score. Far keys are penalised "
                                                      "whatever they say, so heads with a steep slope never read them.",
                                         .curve = "ALiBi (Press et al.)"}},
       .bias = BiasTraits{.python = write_alibi},
       .parameters = alibi_parameters(),
       .check = check_head,
       .value_name = "bias",
       .related = {"bias_prior"},
       .function = [](const ParameterValues& values) -> Result<RelativeFunction> { return Alibi(values).function(); },
       .why = [](const ParameterValues& values, Index relative) { return Alibi(values).why(relative); }});
}

}  // namespace vqscope
