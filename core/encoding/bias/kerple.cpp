// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/bias_values.h"

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/snippet/python.h"

#include <cmath>
#include <limits>

namespace vqscope {
namespace {

/// The authors clamp both below it.
constexpr double least = 0.01;
constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Kernel {
  std::string id, title, help;
  double (*bias)(double r1, double r2, double distance);
  SurveyNote note;
  std::vector<LearntParameter> learnt;  ///< the authors' bounds and initial values
};

/// Parameters of the shown head, with the common factor of all values.
struct KerpleHead {
  double r1, r2, factor;

  explicit KerpleHead(const ParameterValues& values)
      : r1(of_head(values, "r1")),
        r2(of_head(values, "r2")),
        factor(values.choice("kerple_scale") == "inside"
                   ? 1 / std::sqrt(static_cast<double>(values.integer("kerple_head_dim")))
                   : 1) {}

 private:
  static double of_head(const ParameterValues& values, const std::string& name) {
    const auto& by_head = values.reals(name + "_by_head");
    return by_head.empty() ? values.real(name) : by_head[static_cast<std::size_t>(values.integer("head"))];
  }
};

ParameterSpec list_by_head(const char* name, const char* help) {
  return make_parameter(name, "KERPLE", help,
                        {.default_value = std::vector<double>{},
                         .minimum = least,
                         .maximum = 100,
                         .automatic = "the same for all heads",
                         .most_items = 1024});
}

std::vector<ParameterSpec> kerple_parameters(const Kernel& kernel) {
  const auto real = [](const char* name, const char* help) {
    return make_parameter(name, "KERPLE", help,
                          {.default_value = 1.0, .minimum = least, .maximum = 100, .logarithmic = true});
  };
  const bool log = kernel.bias == kerple_log;
  std::vector<ParameterSpec> specs{
      real("r1", "Strength of the penalty, learned per head; the authors' code clamps it to at least 0.01."),
      real("r2", log ? "1 / r2 is the distance at which the penalty starts to flatten. Learned per head; at least 0.01."
                     : "Exponent of the distance, learned per head; the authors' code clamps it to 0.01 … 2."),
      list_by_head("r1_by_head", "r1 of each of the num_heads heads, in place of r1."),
      list_by_head("r2_by_head", "r2 of each of the num_heads heads, in place of r2.")};
  for (auto& spec : head_parameters("KERPLE")) specs.push_back(std::move(spec));
  add_parameter(specs, "kerple_scale", "KERPLE", "Where the bias is added: after or before scores are divided by √d.",
                {.default_value = std::string("after"),
                 .choices = {{"after", "q·k/√d + bias: the authors' code"},
                             {"inside", "(q·k + bias)/√d: the paper's equation; the value shown is bias/√d"}}});
  add_parameter(specs, "kerple_head_dim", "KERPLE", "Number of dimensions d of a head.",
                {.default_value = Index{64},
                 .minimum = 1,
                 .maximum = 4096,
                 .logarithmic = true,
                 .relevant = {{"kerple_scale", {"inside"}}}});
  return specs;
}

std::string why_kerple(const Kernel& kernel, const ParameterValues& values, Index relative) {
  if (relative > 0) return place_text(relative) + ", which the code takes for distance 0: 0";
  const std::string n = grouped(-relative);
  const KerpleHead head(values);
  const std::string r1 = to_text(head.r1, 6);
  const std::string r2 = to_text(head.r2, 6);
  return fmt::format(
      "{}: −{}{}{}", place_text(relative), r1,
      kernel.bias == kerple_log ? fmt::format(" · ln(1 + {} · {})", r2, n) : fmt::format(" · {}^{}", n, r2),
      head.factor == 1 ? "" : fmt::format(", over √{}", values.integer("kerple_head_dim")));
}

/// The authors clamp the exponent too.
Result<void> check_exponent(const char* name, double r2) {
  if (r2 <= 2) return {};
  return invalid("{} is {} but must be at most 2 as the exponent of kerple_power", name, to_text(r2));
}

Result<void> check_kerple(const Kernel& kernel, const ParameterValues& values) {
  const bool is_power = kernel.bias == kerple_power;
  if (is_power)
    if (auto checked = check_exponent("r2", values.real("r2")); !checked) return checked;
  for (const char* name : {"r1_by_head", "r2_by_head"}) {
    const auto& list = values.reals(name);
    if (list.empty()) continue;
    if (auto checked = check_head(values); !checked) return checked;
    if (static_cast<Index>(list.size()) != values.integer("num_heads"))
      return invalid("{} has {} numbers but must have num_heads = {}, or none", name, list.size(),
                     values.integer("num_heads"));
  }
  for (const double r2 : values.reals("r2_by_head"))
    if (auto checked = check_exponent("r2_by_head", r2); is_power && !checked) return checked;
  return {};
}

void write_kerple(const Kernel& kernel, const ParameterValues& values, PythonText& python) {
  const auto learned = [&](const std::string& name) {
    const auto& by_head = values.reals(name + "_by_head");
    return to_text(by_head.empty() ? values.real(name) : by_head[static_cast<std::size_t>(values.integer("head"))]);
  };
  python.line(fmt::format("r1, r2 = {}, {}  # learned, per head", learned("r1"), learned("r2")));
  python.line("behind = distance.clip(0)");
  python.lines(kernel.bias == kerple_log ? "result = -r1 * «m».log(1 + r2 * behind)  # added to q·k/√d\n"
                                         : "result = -r1 * behind ** r2  # added to q·k/√d\n");
  if (values.choice("kerple_scale") == "inside")
    python.line(fmt::format("result = result / {} ** 0.5  # the paper adds before the division by √d",
                            values.integer("kerple_head_dim")));
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
               .extrapolation =
                   "Stable beyond the training length, the logarithmic kernel best (Chi et al. 2022, section 5).",
               .note = kernel.note},
       .bias = BiasTraits{.learnt = kernel.learnt,
                          .python = [kernel](const ParameterValues& values,
                                             PythonText& python) { write_kerple(kernel, values, python); }},
       .parameters = kerple_parameters(kernel),
       .check = [kernel](const ParameterValues& values) { return check_kerple(kernel, values); },
       .value_name = "bias",
       .related = {"bias_prior"},
       .function = [kernel](const ParameterValues& values) -> Result<RelativeFunction> {
         const auto bias = [f = kernel.bias, head = KerpleHead(values)](double d) {
           return head.factor * f(head.r1, head.r2, std::abs(d));
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
  return kernel_method({"kerple_log",
                        "KERPLE log",
                        "The learnt penalty, logarithmic in distance, that KERPLE adds.",
                        kerple_log,
                        {.trade_off = "Two learned numbers per head. The penalty grows ever more slowly, so more of a "
                                      "long context counts than under ALiBi.",
                         .published = "Perplexity on OpenWebText2 after training at 512 tokens: 23.9 at 512 and 21.4 "
                                      "at 16384. ALiBi has 23.9 and 22.5, T5 bias 23.7 and 31.4, RoPE 24.2 and 269.",
                         .source = "Chi et al. 2022, KERPLE, table 3"},
                        {{"r1", 0, 2, least, unbounded}, {"r2", 0, 1, least, unbounded}}});
}

Method kerple_power_method() {
  return kernel_method({"kerple_power",
                        "KERPLE power",
                        "The learnt penalty, a power of the distance, that KERPLE adds.",
                        kerple_power,
                        {.trade_off = "Two learned numbers per head. With r2 = 1 it is ALiBi with a learned slope; a "
                                      "larger r2 cuts the context more sharply.",
                         .published = "Perplexity on OpenWebText2 after training at 512 tokens: 23.9 at 512 and 21.6 "
                                      "at 16384. ALiBi has 23.9 and 22.5.",
                         .source = "Chi et al. 2022, KERPLE, table 3"},
                        {{"r1", 0, 1, least, unbounded}, {"r2", 0, 2, least, 2}}});
}

}  // namespace vqscope
