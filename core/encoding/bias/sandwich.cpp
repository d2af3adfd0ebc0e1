// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/snippet/python.h"
#include "core/encoding/table/table_values.h"

namespace vqscope {
namespace {

double ratio(const ParameterValues& values) {
  return 8 * static_cast<double>(values.integer("head") + 1) / static_cast<double>(values.integer("num_heads"));
}

Result<RelativeFunction> sandwich_function(const ParameterValues& values) {
  return sinusoidal_product(values.integer("sandwich_dim"), 1 / ratio(values));
}

Result<void> check_sandwich(const ParameterValues& values) {
  if (auto checked = check_head(values); !checked) return checked;
  return check_even("sandwich_dim", values);
}

std::string why_sandwich(const ParameterValues& values, Index relative) {
  const Index pairs = values.integer("sandwich_dim") / 2;
  return fmt::format("{}: 1/{} · Σ cos({} · 10000^(−i/{})) over i below {}", place_text(relative),
                     to_text(ratio(values), 6), grouped(std::abs(relative)), pairs, pairs);
}

std::vector<ParameterSpec> sandwich_parameters() {
  auto specs = head_parameters("Sandwich");
  add_parameter(specs, "sandwich_dim", "Sandwich",
                "Number of dimensions of the sinusoidal encodings whose product is the bias. Must be even.",
                {.default_value = Index{128}, .minimum = 2, .maximum = 4096, .logarithmic = true});
  return specs;
}

void write_sandwich(const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("num_heads, head, sandwich_dim = {}, {}, {}", values.integer("num_heads"),
                          values.integer("head"), values.integer("sandwich_dim")));
  python.lines(
      "i = «m».arange(sandwich_dim // 2, dtype=«m».float64)\n"
      "ratio = 8 * (head + 1) / num_heads\n"
      "result = «m».cos(distance[..., None] * 10000.0 ** (-2 * i / sandwich_dim)).sum(-1) / ratio\n");
}

}  // namespace

Method sandwich_method() {
  return relative_method(
      {.id = "sandwich",
       .title = "Sandwich",
       .category = "biases",
       .help = "The fixed bias per head that Sandwich derives from products of sinusoidal encodings.",
       .citation = {"Chi et al. 2023, Dissecting Transformer Length Extrapolation, appendix E",
                    "attention-gym, mods/sandwich.py"},
       .traits =
           EncodingTraits{
               .relative = true,
               .extrapolation = "Stable beyond the training length, as ALiBi and KERPLE (Chi et al. 2023, section 5).",
               .note =
                   {.trade_off = "No parameters, and a slower decay than ALiBi. The bias is a sum of cosines, so it is "
                                 "not monotone in the distance.",
                    .published =
                        "The first encoding without parameters that truly uses more context than the training length.",
                    .source = "Chi et al. 2023, Dissecting Transformer Length Extrapolation, abstract"}},
       .bias = BiasTraits{.python = write_sandwich},
       .parameters = sandwich_parameters(),
       .check = check_sandwich,
       .value_name = "bias",
       .related = {"bias_prior"},
       .function = sandwich_function,
       .why = why_sandwich});
}

}  // namespace vqscope
