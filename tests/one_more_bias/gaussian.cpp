// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/one_more_bias/gaussian.h"

#include "core/encoding/relative_method.h"
#include "core/encoding/snippet/python.h"

namespace vqscope {
namespace {

void write_gaussian(const ParameterValues& values, PythonText& python) {
  python.line("result = -distance ** 2 / (2 * " + to_text(values.real("gaussian_width")) + " ** 2)");
}

}  // namespace

Method gaussian_method() {
  return relative_method({.id = "gaussian",
                          .title = "Gaussian",
                          .category = "biases",
                          .help = "A penalty that grows with the square of the distance.",
                          .citation = {"none", "none"},
                          .traits = EncodingTraits{.relative = true, .trainable = true},
                          .bias = BiasTraits{.learnt = {{"gaussian_width", 4, 12, 1, 1000}}, .python = write_gaussian},
                          .parameters = {{.name = "gaussian_width",
                                          .group = "Gaussian",
                                          .help = "Distance of one standard deviation, in tokens.",
                                          .kind = ParameterKind::real,
                                          .default_value = 8.0,
                                          .minimum = 1,
                                          .maximum = 1000}},
                          .value_name = "bias",
                          .related = {"bias_prior"},
                          .function = [](const ParameterValues& values) -> Result<RelativeFunction> {
                            const auto bias = [width = values.real("gaussian_width")](double d) {
                              return -d * d / (2 * width * width);
                            };
                            return RelativeFunction{{smooth_from(before_all, bias), constant_from(1, 0)}};
                          }});
}

}  // namespace vqscope
