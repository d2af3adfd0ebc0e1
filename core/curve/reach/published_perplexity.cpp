// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/base/sentence.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/shared/published.h"

#include <cassert>

namespace vqscope {
namespace {

std::vector<ParameterSpec> published_perplexity_parameters() {
  return {make_parameter("table", "Curve", "Published table to plot.",
                         {.default_value = std::string("alibi_table_2"),
                          .choices = {{"alibi_table_2", "models trained at 512 tokens, Press et al. 2022, table 2"}}}),
          x_unit_parameter()};
}

Result<CurveSet> make_published_perplexity(const ParameterValues& values, const Work&) {
  const Published table = alibi_table_2();
  const auto trained = static_cast<Index>(table.trained_length);
  CurveSet set{.x_name = "length",
               .x_title = "sequence length (tokens)",
               .y_title = table.y_title,
               .formula = fmt::format("copied from {}; nothing here is computed", table.source),
               .log_x = true,
               .log_y = true,
               .exact = false};
  set.x = table.series.front().x;
  for (const auto& series : table.series) {
    assert(series.x == set.x);
    set.curves.push_back({series.name, series.y});
  }
  set.marks = {trained_mark(trained)};
  set.facts = {{"trained_length", table.trained_length}};
  apply_x_unit(values, trained, set);
  return set;
}

}  // namespace

Method published_perplexity_method() {
  return {.id = "published_perplexity",
          .title = "Published perplexity by length",
          .category = "curves",
          .help = "Published perplexity of trained models on texts longer than their training length.",
          .citation = {"Press et al. 2022, Train Short, Test Long, table 2", "none: the paper's own numbers"},
          .parameters = published_perplexity_parameters(),
          .recipe = CurveRecipe{.make = make_published_perplexity, .origin = CurveOrigin::published}};
}

}  // namespace vqscope
