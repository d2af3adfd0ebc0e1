// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/phase/wave_sum.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_scaling.h"

namespace vqscope {
namespace {

std::string why_sinusoidal_similarity(const ParameterValues& values, Index relative) {
  const Index pairs = values.integer("d_model") / 2;
  return fmt::format(
      "{}: sin sin + cos cos of each pair is cos of the difference, Σ cos({} · 10000^(−i/{})) over i below {}",
      place_text(relative), grouped(std::abs(relative)), pairs, pairs);
}

}  // namespace

RelativeFunction sinusoidal_product(Index d, double factor) {
  const RopeFrequencies frequencies = rope_frequencies({.head_dim = d, .rope_theta = 10000});
  return {{waves_from(before_all, waves_of(turns_of(frequencies.inv_freq), factor))}, true};
}

Result<void> check_even(const char* parameter, const ParameterValues& values) {
  const Index d = values.integer(parameter);
  if (d % 2 == 0) return {};
  return invalid("{} is {} but must be even", parameter, d);
}

Method sinusoidal_similarity_method() {
  return relative_method({.id = "sinusoidal_similarity",
                          .title = "Sinusoidal similarity",
                          .category = "scores",
                          .help = "The product of the sinusoidal encodings of q and k, before any projection.",
                          .citation = {"Vaswani et al. 2017, Attention Is All You Need, section 3.5",
                                       "none compared: the formula of the paper"},
                          .parameters = {make_parameter(
                              "d_model", "Sinusoidal", "Number of dimensions of the encoding. Must be even.",
                              {.default_value = Index{512}, .minimum = 2, .maximum = 4096, .logarithmic = true})},
                          .check = [](const ParameterValues& values) { return check_even("d_model", values); },
                          .value_name = "score",
                          .related = {"rope_score"},
                          .function = [](const ParameterValues& values) -> Result<RelativeFunction> {
                            return sinusoidal_product(values.integer("d_model"), 1);
                          },
                          .why = why_sinusoidal_similarity});
}

}  // namespace vqscope
