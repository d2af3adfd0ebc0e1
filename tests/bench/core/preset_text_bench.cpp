// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/mask/map/visibility_field.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "tests/bench/core/viewport.h"

namespace vqscope::bench {
namespace {

enum class Form { terms, text };

const Method& method() { return *find_method("visibility"); }

/// A preset of terms over `documents` documents and padding, or the equal text.
ParameterValues preset(Form form, const char* mask, Index documents) {
  ParameterValues values = default_values(method().parameters);
  values.set("mask", std::string(mask));
  values.set("q_length", long_sequence);
  if (documents > 0) {
    const Index real = long_sequence - 97152;
    std::vector<Index> lengths(static_cast<std::size_t>(documents), real / documents);
    lengths.back() += real % documents;
    values.set("padding", Index{97152});
    values.set("sliding_window", Index{65536});
    values.set("document_lengths", lengths);
  }
  return form == Form::text ? preset_as_text(values) : values;
}

/// From the values to a field, solved.
void preset_made(benchmark::State& state, Form form, const char* mask) {
  const auto values = preset(form, mask, state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(*make_preset_mask(values));
}

/// One row, and which term masks a cell of it.
void preset_row(benchmark::State& state, Form form, const char* mask) {
  const auto made = *make_preset_mask(preset(form, mask, state.range(0)));
  std::vector<Range> row;
  Index q = 0;
  for (auto _ : state) {
    q = (q + 99991) % long_sequence;
    made->row(q, row);
    benchmark::DoNotOptimize(made->failing_term(q, long_sequence / 2));
  }
}

void preset_viewport(benchmark::State& state, Form form, bool zoomed_out) {
  SummaryOptions options{.extremes = true, .reasons = true};
  const VisibilityField field(*make_preset_mask(preset(form, "packed", state.range(0))));
  summarize_views(state, field, zoomed_out, options);
}

}  // namespace

BENCHMARK_CAPTURE(preset_made, terms, Form::terms, "causal")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_made, text, Form::text, "causal")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_made, prefix_terms, Form::terms, "prefix_lm")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_made, prefix_text, Form::text, "prefix_lm")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_row, terms, Form::terms, "causal")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_row, text, Form::text, "causal")->Arg(0)->Arg(5)->Arg(10000);
BENCHMARK_CAPTURE(preset_viewport, terms_zoomed_out, Form::terms, true)->UseManualTime()->Arg(5)->Arg(1000);
BENCHMARK_CAPTURE(preset_viewport, text_zoomed_out, Form::text, true)->UseManualTime()->Arg(5)->Arg(1000);
BENCHMARK_CAPTURE(preset_viewport, terms_random_zoom, Form::terms, false)->UseManualTime()->Arg(5)->Arg(1000);
BENCHMARK_CAPTURE(preset_viewport, text_random_zoom, Form::text, false)->UseManualTime()->Arg(5)->Arg(1000);

}  // namespace vqscope::bench
