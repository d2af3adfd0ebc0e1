// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/encoding/relative_method.h"

namespace vqscope {

Method nope_method() {
  return relative_method(
      {.id = "nope",
       .title = "No encoding (NoPE)",
       .category = "biases",
       .help = "No positional term in the score: order is visible only through the causal mask.",
       .citation = {"Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization, section 2",
                    "none needed: 0 everywhere"},
       .traits = EncodingTraits{.relative = false,
                                .each_layer = false,
                                .extrapolation = "A decoder still tells positions by its causal mask; generalises on "
                                                 "small tasks (Kazemnejad et al. 2023)."},
       .bias = BiasTraits{.zero = true},
       .value_name = "bias",
       .related = {"bias_prior"},
       .function = [](const ParameterValues&) -> Result<RelativeFunction> {
         return RelativeFunction{{constant_from(before_all, 0)}};
       },
       .why = [](const ParameterValues&, Index relative) { return place_text(relative) + ", which nothing tells"; }});
}

}  // namespace vqscope
