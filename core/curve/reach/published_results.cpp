// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/curve_set.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <span>

namespace vqscope {
namespace {

struct PublishedModel {
  const char* name;
  int year;
  double value;
};

constexpr PublishedModel enwik8[]{{"Transformer-XL, Dai et al.", 2019, 0.99},
                                  {"Sparse Transformer, Child et al.", 2019, 0.99},
                                  {"Longformer, Beltagy et al.", 2020, 0.99},
                                  {"Routing Transformer, Roy et al.", 2021, 0.99},
                                  {"Adaptive span, Sukhbaatar et al.", 2019, 0.98},
                                  {"Hourglass, Nawrot et al.", 2021, 0.98},
                                  {"Compressive Transformer, Rae et al.", 2020, 0.97},
                                  {"Long-Short Transformer, Zhu et al.", 2021, 0.97},
                                  {"Feedback Transformer, Fan et al.", 2020, 0.96},
                                  {"SRU++, Lei", 2021, 0.95},
                                  {"Expire-Span, Sukhbaatar et al.", 2021, 0.95},
                                  {"Focus attention, Lutati et al.", 2023, 0.94},
                                  {"Transformer-VQ, 190M", 2023, 0.99}};

constexpr PublishedModel pg19[]{{"MegaByte, Yu et al.", 2023, 36.4},
                                {"Transformer-XL, Rae et al.", 2020, 36.3},
                                {"Compressive Transformer, Rae et al.", 2020, 33.6},
                                {"Routing Transformer, Roy et al.", 2021, 33.2},
                                {"Perceiver AR, Hawthorne et al.", 2022, 28.9},
                                {"Block-Recurrent Transformer, Hutchins et al.", 2022, 26.5},
                                {"Transformer-VQ, 1.3B", 2023, 26.6}};

constexpr PublishedModel imagenet64[]{
    {"VDM, Kingma et al.", 2021, 3.40},           {"Perceiver AR, Hawthorne et al.", 2022, 3.40},
    {"MegaByte, Yu et al.", 2023, 3.40},          {"DenseFlow, Grcic et al.", 2021, 3.35},
    {"Flow Matching, Lipman et al.", 2023, 3.31}, {"Efficient VDVAE, Hazami et al.", 2022, 3.30},
    {"Transformer-VQ, 190M", 2023, 3.22},         {"Transformer-VQ, 1.2B", 2023, 3.16}};

struct PublishedTable {
  const char* id;
  const char* number;  ///< of the table in the paper
  const char* data;
  const char* y_title;
  std::span<const PublishedModel> models;
};

const PublishedTable tables[]{{"enwik8", "3", "Enwik8", "test bits per byte (published)", enwik8},
                              {"pg19", "4", "PG-19", "test word-level perplexity (published)", pg19},
                              {"imagenet64", "5", "ImageNet64", "validation bits per byte (published)", imagenet64}};

const PublishedTable& table_of(const ParameterValues& values) {
  return *std::ranges::find(tables, values.choice("table"), &PublishedTable::id);
}

Result<CurveSet> make_published_quality(const ParameterValues& values, const Work&) {
  const PublishedTable& table = table_of(values);
  CurveSet set{.x_name = "year",
               .x_title = "year of publication",
               .y_title = table.y_title,
               .formula = fmt::format("copied from Lingle 2023, Transformer-VQ, table {}: {}; nothing here is computed",
                                      table.number, table.data),
               .exact = false};
  std::set<int> years;
  for (const PublishedModel& model : table.models) years.insert(model.year);
  set.x.assign(years.begin(), years.end());
  double best = table.models.front().value;
  for (const PublishedModel& model : table.models) {
    best = std::min(best, model.value);
    // Models of one year with one value are one point.
    const auto year = static_cast<std::size_t>(std::ranges::find(set.x, model.year) - set.x.begin());
    const auto same =
        std::ranges::find_if(set.curves, [&](const Curve& curve) { return curve.y[year] == model.value; });
    if (same != set.curves.end()) {
      same->name += fmt::format("; {}", model.name);
      continue;
    }
    set.curves.push_back({model.name, std::vector<double>(set.x.size(), no_value)});
    set.curves.back().y[year] = model.value;
  }
  set.facts = {{"best", best}};
  return set;
}

std::vector<ParameterSpec> published_quality_parameters() {
  ParameterSpec table =
      make_parameter("table", "Curve", "Published table to plot.", {.default_value = std::string(tables[0].id)});
  for (const PublishedTable& one : tables)
    table.choices.push_back({one.id, fmt::format("{}, {}, table {}", one.data, one.y_title, one.number)});
  return {std::move(table)};
}

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

Method published_quality_method() {
  return {.id = "published_quality",
          .title = "Published quality of Transformer-VQ",
          .help = "Published quality of Transformer-VQ and of other models of long sequences. Lower is better.",
          .citation = {"Lingle 2023, Transformer-VQ, tables 3 to 5", "none: the paper's own numbers"},
          .parameters = published_quality_parameters(),
          .recipe = CurveRecipe{.make = make_published_quality, .origin = CurveOrigin::published}};
}

Method published_perplexity_method() {
  return {.id = "published_perplexity",
          .title = "Published perplexity by length",
          .help = "Published perplexity of trained models on texts longer than their training length.",
          .citation = {"Press et al. 2022, Train Short, Test Long, table 2", "none: the paper's own numbers"},
          .parameters = published_perplexity_parameters(),
          .recipe = CurveRecipe{.make = make_published_perplexity, .origin = CurveOrigin::published}};
}

}  // namespace vqscope
