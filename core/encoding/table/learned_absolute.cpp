// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/field/block_walk.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"
#include "core/sequence/query_layout.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The random seed of a row's numbers.
std::uint64_t drawn_row(std::uint64_t seed, Index position) {
  const std::uint64_t table = SeededRandom(seed).bits();
  return SeededRandom(table ^ static_cast<std::uint64_t>(position)).bits();
}

double drawn_cell(std::uint64_t row, Index dimension) {
  return SeededRandom(row ^ static_cast<std::uint64_t>(dimension)).normal();
}

struct LearnedTable {
  SequenceLayout layout;
  Index d_model;
  double std;
  std::uint64_t seed;

  double value(Index position, Index dimension) const { return std * drawn_normal(seed, position, dimension); }
};

class LearnedField : public Field {
 public:
  explicit LearnedField(LearnedTable table) : m_table(std::move(table)) {}

  Extent extent() const override { return {m_table.layout.q_length(), m_table.d_model}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return m_table.value(m_table.layout.q_pos(row), col); }
  double cell_cost() const override { return 8; }  // three random numbers, a logarithm, a root and a cosine
  void read(const Rect& block, CellSpan out) const override;
  /// One cell of sixteen thousand is beyond four standard deviations; a scale for all would leave
  /// the others pale.
  std::pair<double, double> value_range() const override { return {-4 * m_table.std, 4 * m_table.std}; }
  CellReport report(Index row, Index col) const override;

 private:
  LearnedTable m_table;
};

void LearnedField::read(const Rect& block, CellSpan out) const {
  read_rows(block, out, [&](Index row) {
    return [this, drawn = drawn_row(m_table.seed, m_table.layout.q_pos(row))](Index col) {
      return m_table.std * drawn_cell(drawn, col);
    };
  });
}

CellReport LearnedField::report(Index row, Index col) const {
  const Index position = m_table.layout.q_pos(row);
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"position", to_text(position)},
                  {"dimension", to_text(col)},
                  {"value", to_text(at(row, col), 7)}};
  report.why =
      fmt::format("row {} of the table, sampled from seed with standard deviation {}: what training starts from",
                  grouped(position), to_text(m_table.std, 6));
  if (!m_table.layout.q_valid(row)) report.why += padding_note;
  return report;
}

std::vector<ParameterSpec> learned_absolute_parameters() {
  const std::string group = "Learned table";
  auto specs = query_parameters(SequenceUse::positions, 1024);
  add_parameter(
      specs, "max_position_embeddings", group,
      "Number of rows of the table: positions 0 to max_position_embeddings - 1.",
      {.default_value = Index{1024}, .minimum = 1, .maximum = 4294967296.0, .logarithmic = true, .unit = "positions"});
  add_parameter(specs, "d_model", group, "Number of dimensions of the encoding.",
                {.default_value = Index{768}, .minimum = 1, .maximum = 65536, .logarithmic = true});
  add_parameter(specs, "std", group, "Standard deviation of the initial values: initializer_range in a model's config.",
                {.default_value = 0.02, .minimum = 1e-6, .maximum = 100, .logarithmic = true});
  specs.push_back(seed_parameter(group, "Random seed of the synthetic values."));
  return specs;
}

Result<void> check_learned_absolute(const ParameterValues& values) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  Index last = 0;
  for (const auto& run : layout->q_runs()) last = std::max(last, run.position(run.tokens.end - 1));
  const Index rows = values.integer("max_position_embeddings");
  if (last < rows) return {};
  return invalid(
      "a query has position {} but must be below max_position_embeddings = {}: a learned table has no rows beyond it",
      last, rows);
}

Result<std::shared_ptr<const Field>> make_learned_absolute(const ParameterValues& values, const Work&) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(
      std::make_shared<LearnedField>(LearnedTable{.layout = *layout,
                                                  .d_model = values.integer("d_model"),
                                                  .std = values.real("std"),
                                                  .seed = static_cast<std::uint64_t>(values.integer("seed"))}));
}

}  // namespace

double drawn_normal(std::uint64_t seed, Index position, Index dimension) {
  return drawn_cell(drawn_row(seed, position), dimension);
}

Method learned_absolute_method() {
  return {
      .id = "learned_absolute",
      .title = "Learned absolute",
      .category = "tables",
      .help = "A learned vector per position, added to the token's embedding; shown as initialised, before training.",
      .citation = {"Gehring et al. 2017, Convolutional Sequence to Sequence Learning, section 3.1; Devlin et al. "
                   "2019, BERT, section 3",
                   "Hugging Face transformers, GPT2Model.wpe with initializer_range"},
      .traits =
          EncodingTraits{
              .relative = false,
              .trainable = true,
              .each_layer = false,
              .extrapolation = "None: the table has no row beyond the training length (Press et al. 2022, "
                               "section 2).",
              .note = {.trade_off = "Learns any pattern within the training length. Costs max_position_embeddings · "
                                    "d_model parameters, and there is no row beyond.",
                       .published =
                           "Translation as good as with sinusoids: perplexity 4.92 for both, BLEU 25.7 against 25.8.",
                       .source = "Vaswani et al. 2017, Attention Is All You Need, table 3 (E)"}},
      .parameters = learned_absolute_parameters(),
      .check = check_learned_absolute,
      .remark =
          [](const ParameterValues& values, const Work&) {
            const Index rows = values.integer("max_position_embeddings"), d = values.integer("d_model");
            return fmt::format("The table has max_position_embeddings · d_model = {} · {} = {} parameters.", rows, d,
                               rows * d);
          },
      .recipe = FieldRecipe{.row_title = "query q",
                            .col_title = "dimension",
                            .value_title = "value",
                            .scale = ValueScale::diverging,
                            .col_name = [](const ParameterValues&) { return std::string("dimension"); },
                            .untrained = [](const ParameterValues& v) { return untrained_values(v.integer("seed")); },
                            .make = make_learned_absolute}};
}

}  // namespace vqscope
