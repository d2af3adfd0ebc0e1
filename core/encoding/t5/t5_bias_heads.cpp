// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/field/field.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

using HeadTable = std::vector<std::vector<double>>;  // [num_heads][num_buckets]

bool is_by_distance(const ParameterValues& values) { return values.choice("columns") == "distances"; }

class HeadsField : public Field {
 public:
  HeadsField(HeadTable table, T5Buckets buckets, bool is_by_distance, Index longest)
      : m_table(std::move(table)), m_buckets(buckets), m_is_by_distance(is_by_distance), m_longest(longest) {
    for (const auto& head : m_table)
      for (const double value : head) m_largest = std::max(m_largest, std::abs(value));
  }

  Extent extent() const override {
    const Index rows = std::ssize(m_table);
    if (!m_is_by_distance) return {rows, m_buckets.num_buckets};
    return {rows, m_buckets.bidirectional ? 2 * m_longest + 1 : m_longest + 1};
  }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return m_table[static_cast<std::size_t>(row)][static_cast<std::size_t>(bucket(col))];
  }
  double cell_cost() const override { return m_is_by_distance ? 4 : 1; }
  std::pair<double, double> value_range() const override { return {-m_largest, m_largest}; }
  CellReport report(Index row, Index col) const override;

 private:
  /// From the furthest key behind the query to the furthest ahead.
  Index relative(Index col) const { return col - m_longest; }
  Index bucket(Index col) const { return m_is_by_distance ? m_buckets.bucket(relative(col)) : col; }

  HeadTable m_table;
  T5Buckets m_buckets;
  bool m_is_by_distance;
  Index m_longest;
  double m_largest = 1e-6;
};

CellReport HeadsField::report(Index row, Index col) const {
  CellReport report;
  report.facts = {{"head", to_text(row)}, {"bucket", to_text(bucket(col))}, {"bias", to_text(at(row, col), 6)}};
  report.why = m_is_by_distance ? fmt::format("{}: bucket {} of head {}", place_text(relative(col)), bucket(col), row)
                                : fmt::format("row {}, column {} of the table", col, row);
  return report;
}

std::vector<ParameterSpec> heads_parameters() {
  auto specs = t5_bias_own_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "head"; });
  add_parameter(specs, "columns", "T5 bias", "What each column stands for.",
                {.default_value = std::string("buckets"),
                 .choices = {{"buckets", "the buckets: the table as it is stored, transposed"},
                             {"distances", "relative positions, from the furthest key behind the query on"}}});
  add_parameter(specs, "longest", "T5 bias", "Largest distance shown.",
                {.default_value = Index{160},
                 .minimum = 1,
                 .maximum = 65536,
                 .logarithmic = true,
                 .unit = "tokens",
                 .relevant = {{"columns", {"distances"}}}});
  return specs;
}

ParameterValues with_head(ParameterValues values) {
  values.set("head", Index{0});
  return values;
}

Result<void> check_heads(const ParameterValues& values) {
  if (auto checked = t5_buckets_from(values).check(); !checked) return checked;
  const auto count = static_cast<Index>(values.reals("bias_values").size());
  const Index all = values.integer("num_buckets") * values.integer("num_heads");
  if (count == 0 || count == all || count == values.integer("num_buckets")) return {};
  return invalid("bias_values has {} numbers but must have num_buckets · num_heads = {}", count, all);
}

Result<std::shared_ptr<const Field>> make_heads(const ParameterValues& values, const Work&) {
  auto table = t5_bias_table(with_head(values));
  if (!table) return table.error();
  return std::shared_ptr<const Field>(std::make_shared<HeadsField>(std::move(*table), t5_buckets_from(values),
                                                                   is_by_distance(values), values.integer("longest")));
}

std::string remark_heads(const ParameterValues& values, const Work&) {
  const Index buckets = values.integer("num_buckets"), heads = values.integer("num_heads");
  return fmt::format(
      "num_buckets · num_heads = {} · {} = {} learned numbers, one table that all layers of a T5 stack share; each "
      "head "
      "has values of its own.",
      buckets, heads, buckets * heads);
}

}  // namespace

Method t5_bias_heads_method() {
  return {.id = "t5_bias_heads",
          .title = "T5 bias of all heads",
          .category = "buckets",  // a table of buckets, no function of query and key
          .help = "The table of T5's bias: a value for each head and bucket, of a checkpoint, given or sampled.",
          .citation = {"Raffel et al. 2020, Exploring the Limits of Transfer Learning, section 2.1",
                       "Hugging Face transformers, T5Attention.relative_attention_bias"},
          .parameters = heads_parameters(),
          .check = check_heads,
          .remark = remark_heads,
          .recipe = FieldRecipe{.row_title = "head",
                                .col_title = "bucket or relative position",
                                .value_title = "bias",
                                .scale = ValueScale::diverging,
                                .row_name = "head",
                                .col_name =
                                    [](const ParameterValues& values) {
                                      return std::string(is_by_distance(values) ? "column" : "bucket");
                                    },
                                .related = {"t5_staircase"},
                                .make = make_heads}};
}

}  // namespace vqscope
