// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/encoding/table/table_values.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_digits = 16;  // curves of one kind

ParameterSpec beta_parameter() {
  return make_parameter("beta", "Digits",
                        "Base in which positions are written; 10 gives decimal digits. Must be above 1.",
                        {.label = "β",
                         .default_value = 0.0,
                         .minimum = 0,
                         .maximum = 1e6,
                         .logarithmic = true,
                         .automatic = "rope_theta^(2/d)"});
}

std::vector<ParameterSpec> own_parameters() {
  return {beta_parameter(),
          make_parameter(
              "digits", "Digits", "Digits to plot: 1 is the lowest, d/2 the highest.",
              {.default_value = std::vector<Index>{1, 2, 3}, .minimum = 1, .maximum = 2048, .most_items = most_digits}),
          make_parameter(
              "changes", "Digits", "Scalings to plot beside the digits of the unscaled position.",
              {.label = "Also draw",
               .default_value = std::vector<std::string>{"linear"},
               .choices = {{"linear", "position interpolation: the digits of position / factor"},
                           {"ntk", "NTK-aware: the base β · factor^(2/(d−2)), as of rope_theta · factor^(d/(d−2))"}}})};
}

std::vector<ParameterSpec> beta_ary_digit_parameters() {
  std::vector<ParameterSpec> specs;
  auto rope = rope_curve_parameters(1000);
  const auto take = [&](const std::string& name) -> ParameterSpec& {
    auto it = std::ranges::find(rope, name, &ParameterSpec::name);
    return specs.emplace_back(*it);
  };
  take("q_length").help = "Largest position on the curve.";
  for (auto& spec : own_parameters()) specs.push_back(std::move(spec));
  auto& factor = take("factor");
  factor.default_value = 8.0;
  factor.relevant = {{"changes", {"linear", "ntk"}}};
  take("rope_theta").help = "RoPE base b; the digits have base b^(2/d). Must be above 1.";
  take("head_dim").default_value = Index{8};
  take("rotary_dim");
  take("original_max_position_embeddings");
  for (auto& spec : specs)
    if (spec.group == "RoPE") spec.group = "Digits";
  specs.push_back(points_parameter("Curve", 1024, 4096));
  specs.push_back(x_unit_parameter());
  return specs;
}

RopeScaling interpolated_scaling(const ParameterValues& values) {
  return {.head_dim = values.integer("head_dim"),
          .rotary_dim = values.integer("rotary_dim"),
          .rope_theta = values.real("rope_theta"),
          .factor = values.real("factor")};
}

bool changes(const ParameterValues& values, const std::string& id) {
  return std::ranges::count(values.choices("changes"), id) > 0;
}

Result<void> check_beta_ary_digit(const ParameterValues& values) {
  RopeScaling scaling = interpolated_scaling(values);
  if (changes(values, "ntk")) scaling.rope_type = "ntk";
  if (auto checked = scaling.check(); !checked) return checked;
  const double beta = values.real("beta");
  if (beta != 0 && beta <= 1)
    return invalid("beta is {} but must be above 1, or 0 for rope_theta^(2/d)", to_text(beta));
  const auto& digits = values.integers("digits");
  if (digits.empty()) return invalid("digits is empty but must name one digit at least");
  const bool of_pairs = beta == 0 || changes(values, "ntk");
  for (const Index digit : digits)
    if (of_pairs && digit > scaling.pairs())
      return invalid("digits has {} but must be at most d/2 = {}", digit, scaling.pairs());
  return {};
}

CurveSet beta_ary_digit_described() {
  return {.x_name = "position",
          .x_title = "position n (tokens)",
          .y_title = "digit, from 0 up to β",
          .formula =
              "digit m of n in base β is floor(n / β^(m−1)) mod β, β = b^(2/d); linear: of n / factor; ntk: base "
              "β · factor^(2/(d−2)); pair m−1 of RoPE turns by n / β^(m−1), so the digits are what its cosines "
              "can tell; " +
              rope_geometry,
          .steps = true};
}

/// Derivation of the digits of one kind.
struct Numeral {
  std::string suffix;
  long double beta;
  long double divisor;
};

std::vector<Numeral> numerals(const ParameterValues& values) {
  const RopeScaling scaling = interpolated_scaling(values);
  const double given = values.real("beta");
  const long double beta = given == 0 ? rope_beta(scaling.rope_theta, scaling.rotated()) : given;
  std::vector<Numeral> all{{"", beta, 1}};
  if (changes(values, "linear")) all.push_back({"_linear", beta, scaling.factor});
  if (changes(values, "ntk")) {
    const long double part = 2.0L / static_cast<long double>(scaling.rotated() - 2);
    all.push_back({"_ntk", beta * std::pow(static_cast<long double>(scaling.factor), part), 1});
  }
  return all;
}

Result<CurveSet> make_beta_ary_digit(const ParameterValues& values, const Work& work) {
  const RopeScaling scaling = interpolated_scaling(values);
  const Index q_length = values.integer("q_length");
  const Index trained = values.integer("original_max_position_embeddings");
  CurveSet set = beta_ary_digit_described();
  set.x = mixed_axis(0, q_length - 1, values.integer("points"));
  set.exact = static_cast<Index>(set.x.size()) == q_length;
  for (const auto& [suffix, beta, divisor] : numerals(values)) {
    set.facts.emplace_back("beta" + suffix, static_cast<double>(beta));
    for (const Index digit : values.integers("digits")) {
      if (work.stop.stop_requested()) return cancelled();
      auto& curve = set.curves.emplace_back(Curve{fmt::format("digit_{}{}", digit, suffix), {}});
      for (const double n : set.x) curve.y.push_back(beta_digit(static_cast<long double>(n) / divisor, digit, beta));
    }
  }
  if (changes(values, "ntk"))
    set.facts.emplace_back("ntk_rope_theta", ntk_base(scaling.rope_theta, scaling.rotated(), scaling.factor));
  if (trained < q_length) set.marks = {trained_mark(trained)};
  apply_x_unit(values, trained, set);
  return set;
}

}  // namespace

double ntk_base(double rope_theta, Index rotary_dim, double factor) {
  const auto d = static_cast<double>(rotary_dim);
  return rope_theta * std::pow(factor, d / (d - 2));
}

Method beta_ary_digit_method() {
  return {.id = "beta_ary_digit",
          .title = "Digits of positions in base β",
          .help = "RoPE as a numeral system: the digits of a position, and how each scaling changes them.",
          .citation = {"Su 2023, RoPE is a β-ary Encoding", "none compared: the formula of the text"},
          .parameters = beta_ary_digit_parameters(),
          .check = check_beta_ary_digit,
          .recipe = CurveRecipe{.make = make_beta_ary_digit, .related = {"rope_wavelength"}}};
}

}  // namespace vqscope
