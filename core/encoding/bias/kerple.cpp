// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/kerple.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"

#include <cmath>

namespace vqscope {
namespace {

/// The authors clamp both below it.
constexpr double least = 0.01;

struct Kernel {
  std::string id, title, help;
  double (*bias)(double r1, double r2, double distance);
};

std::vector<ParameterSpec> kerple_parameters(const Kernel& kernel) {
  const auto real = [](const char* name, const char* help) {
    return ParameterSpec{.name = name,
                         .group = "KERPLE",
                         .help = help,
                         .kind = ParameterKind::real,
                         .fallback = 1.0,
                         .minimum = least,
                         .maximum = 100,
                         .logarithmic = true};
  };
  const bool log = kernel.bias == kerple_log;
  return {
      real("r1", "Strength of the penalty, learned per head; the authors' code clamps it to at least 0.01."),
      real("r2", log ? "1 / r2 is the distance at which the penalty starts to flatten. Learned per head; at least 0.01."
                     : "Exponent of the distance, learned per head; the authors' code clamps it to 0.01 … 2.")};
}

std::string why_kerple(const Kernel& kernel, const ParameterValues& values, Index relative) {
  if (relative > 0) return place_text(relative) + ", which the code takes for distance 0: 0";
  const std::string n = grouped(-relative);
  const std::string r1 = to_text(values.real("r1"), 6);
  const std::string r2 = to_text(values.real("r2"), 6);
  return fmt::format(
      "{}: −{}{}", place_text(relative), r1,
      kernel.bias == kerple_log ? fmt::format(" · ln(1 + {} · {})", r2, n) : fmt::format(" · {}^{}", n, r2));
}

/// The authors clamp the exponent too.
Result<void> check_exponent(const ParameterValues& values) {
  const double r2 = values.real("r2");
  if (r2 <= 2) return {};
  return invalid("r2 is {}, must be at most 2 as the exponent of kerple_power", to_text(r2));
}

Method kernel_method(const Kernel& kernel) {
  return relative_method(
      {.id = kernel.id,
       .title = kernel.title,
       .category = "biases",
       .help = kernel.help,
       .citation = {"Chi et al. 2022, KERPLE, section 4", "chijames/KERPLE, megatron/mpu/layers.py"},
       .traits =
           EncodingTraits{
               .relative = true,
               .trainable = true,
               .each_layer = true,
               .extrapolation =
                   "Stable beyond the training length, the logarithmic kernel best (Chi et al. 2022, section 5)."},
       .bias = BiasTraits{},
       .parameters = kerple_parameters(kernel),
       .check = kernel.bias == kerple_power ? check_exponent : nullptr,
       .value_name = "bias",
       .companions = {"bias_prior"},
       .function = [kernel](const ParameterValues& values) -> Result<RelativeFunction> {
         const auto bias = [f = kernel.bias, r1 = values.real("r1"), r2 = values.real("r2")](double d) {
           return f(r1, r2, std::abs(d));
         };
         return RelativeFunction{{smooth_from(before_all, bias), constant_from(1, 0)}};
       },
       .why = [kernel](const ParameterValues& values,
                       Index relative) { return why_kerple(kernel, values, relative); }});
}

}  // namespace

double kerple_log(double r1, double r2, double distance) { return -r1 * std::log1p(r2 * distance); }

double kerple_power(double r1, double r2, double distance) { return -r1 * std::pow(distance, r2); }

Method kerple_log_method() {
  return kernel_method(
      {"kerple_log", "KERPLE log", "The learnt penalty, logarithmic in distance, that KERPLE adds.", kerple_log});
}

Method kerple_power_method() {
  return kernel_method(
      {"kerple_power", "KERPLE power", "The learnt penalty, a power of the distance, that KERPLE adds.", kerple_power});
}

}  // namespace vqscope
