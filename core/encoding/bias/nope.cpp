// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/encoding/relative_method.h"
#include "core/encoding/snippet/python.h"

namespace vqscope {

Method nope_method() {
  return relative_method(
      {.id = "nope",
       .title = "No encoding (NoPE)",
       .category = "biases",
       .help = "No positional term in the score: order is visible only through the causal mask.",
       .citation = {"Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization, section 2",
                    "none needed: 0 everywhere"},
       .traits =
           EncodingTraits{
               .relative = false,
               .each_layer = false,
               .extrapolation = "A decoder still tells positions by its causal mask; generalises on "
                                "small tasks (Kazemnejad et al. 2023).",
               .note = {.trade_off = "Nothing to compute or to extrapolate. Only a causal mask tells order, so a "
                                     "bidirectional encoder cannot do without positions.",
                        .published = "Causal models are slightly worse throughout than with learned positions. "
                                     "Perplexity on the Pile: 22.15 against 22.04 with 125M parameters, 16.87 against "
                                     "16.84 with 350M, 14.29 against 14.21 with 760M, 13.10 against 13.05 with 1.3B. "
                                     "Bidirectional masked models fail to converge: 147.18 against 4.06.",
                        .source = "Haviv et al. 2022, Transformer Language Models without Positional Encodings Still "
                                  "Learn Positional Information, tables 2 and 4",
                        .positions = "no positions"}},
       .bias = BiasTraits{.zero = true,
                          .python =
                              [](const ParameterValues&, PythonText& python) {
                                python.lines("result = «m».zeros((q_length, kv_length))  # nothing is added\n");
                              }},
       .value_name = "bias",
       .related = {"bias_prior"},
       .function = [](const ParameterValues&) -> Result<RelativeFunction> {
         return RelativeFunction{{constant_from(before_all, 0)}};
       },
       .why = [](const ParameterValues&, Index relative) { return place_text(relative) + ", which nothing tells"; }});
}

}  // namespace vqscope
