// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "tests/bench/core/viewport.h"

namespace vqscope::bench {
namespace {

/// Packed, causal, sliding window and padding at once.
std::shared_ptr<const Field> full_conjunction() {
  const Method& method = *find_method("visibility");
  ParameterValues values = default_values(method.parameters);
  values.set("mask", std::string("packed"));
  values.set("q_length", long_sequence);
  values.set("padding", Index{97152});
  values.set("sliding_window", Index{65536});
  values.set("document_lengths", std::vector<Index>{700001, 299999, 4096, 495904, 500000});
  return *make_field(method, values);
}

/// One viewport of 1024 x 1024 tiles on one thread.
void viewport(benchmark::State& state, bool zoomed_out, const SummaryOptions& options) {
  summarize_views(state, *full_conjunction(), zoomed_out, options);
}

const SummaryOptions mean_only{.extremes = false};
const SummaryOptions with_reasons{.extremes = true, .reasons = true};

}  // namespace

BENCHMARK_CAPTURE(viewport, mean_zoomed_out, true, mean_only)->UseManualTime();
BENCHMARK_CAPTURE(viewport, mean_random_zoom, false, mean_only)->UseManualTime();
BENCHMARK_CAPTURE(viewport, reasons_zoomed_out, true, with_reasons)->UseManualTime();
BENCHMARK_CAPTURE(viewport, reasons_random_zoom, false, with_reasons)->UseManualTime();

}  // namespace vqscope::bench
