// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/phase_summary.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"
#include "core/sequence/query_layout.h"

namespace vqscope {
namespace {

constexpr Index sinusoidal_default_q_length = 1024;

struct Sinusoid {
  Index d_model;
  double base;
  PairLayout pair_layout;
  SequenceLayout layout;
  std::vector<long double> inv_freq;

  Index pair(Index dimension) const { return pair_of(dimension, d_model / 2, pair_layout); }
  bool is_sine(Index dimension) const {
    return dimensions_of(pair(dimension), d_model / 2, pair_layout).first == dimension;
  }
};

/// Every dimension has a progression of its own: a sine is the cosine a quarter turn before it.
PhaseMatrix matrix_of(const Sinusoid& sinusoid) {
  const auto runs = sinusoid.layout.q_runs();
  PhaseMatrix matrix{.rows = {runs.begin(), runs.end()}, .columns = {}, .quantity = PhaseQuantity::cos};
  for (Index dimension = 0; dimension < sinusoid.d_model; ++dimension) {
    matrix.rates.push_back(turns_of(sinusoid.inv_freq[static_cast<std::size_t>(sinusoid.pair(dimension))]));
    matrix.offsets.push_back(sinusoid.is_sine(dimension) ? Turns{0} - quarter_turn : 0);
    matrix.columns.push_back(static_cast<std::int32_t>(dimension));
  }
  return matrix;
}

class SinusoidalField : public PhaseField {
 public:
  explicit SinusoidalField(Sinusoid sinusoid) : PhaseField(matrix_of(sinusoid)), m_sinusoid(std::move(sinusoid)) {}

  CellReport report(Index row, Index col) const override;

 private:
  Sinusoid m_sinusoid;
};

CellReport SinusoidalField::report(Index row, Index col) const {
  const Index pair = m_sinusoid.pair(col);
  const long double inv_freq = m_sinusoid.inv_freq[static_cast<std::size_t>(pair)];
  const Index where = m_sinusoid.layout.q_pos(row);
  const double angle = static_cast<double>(static_cast<long double>(where) * inv_freq);
  CellReport report;
  report.facts = {{"q", to_text(row)},
                  {"position", to_text(where)},
                  {"dimension", to_text(col)},
                  {"pair", to_text(pair)},
                  {"wavelength", to_text(wavelength(inv_freq), 7) + " tokens"},
                  {"value", to_text(at(row, col), 7)}};
  report.why =
      fmt::format("{} of position {} · {}^(−{}/{}) = {} rad", m_sinusoid.is_sine(col) ? "sin" : "cos", grouped(where),
                  plain_text(m_sinusoid.base), 2 * pair, m_sinusoid.d_model, to_text(angle, 7));
  if (!m_sinusoid.layout.q_valid(row)) report.why += padding_note;
  return report;
}

std::vector<ParameterSpec> sinusoidal_parameters() {
  const std::string group = "Sinusoidal";
  auto specs = query_parameters(SequenceUse::positions, sinusoidal_default_q_length);
  add_parameter(specs, "d_model", group, "Number of dimensions of the encoding. Must be even.",
                {.default_value = Index{512}, .minimum = 2, .maximum = 4096, .logarithmic = true});
  add_parameter(specs, "base", group, "Pair i turns by base^(-2i/d_model) radians per position. Must be above 1.",
                {.default_value = 10000.0, .minimum = 1, .maximum = 1e12, .logarithmic = true});
  add_parameter(specs, "layout", group, "Order of the sines and cosines.",
                {.default_value = std::string("interleaved"),
                 .choices = {{"interleaved", "sin, cos, sin, cos: Vaswani et al."},
                             {"concatenated", "all sines, then all cosines: RoFormer's code, Transformer-XL"}}});
  return specs;
}

Result<void> check_sinusoidal(const ParameterValues& values) {
  if (values.real("base") <= 1) return invalid("base is {} but must be above 1", plain_text(values.real("base")));
  return check_even("d_model", values);
}

Result<std::shared_ptr<const Field>> make_sinusoidal(const ParameterValues& values, const Work&) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  const Index d = values.integer("d_model");
  const double base = values.real("base");
  return std::shared_ptr<const Field>(std::make_shared<SinusoidalField>(
      Sinusoid{.d_model = d,
               .base = base,
               .pair_layout = pair_layout_of(values.choice("layout")),
               .layout = *layout,
               .inv_freq = rope_frequencies({.head_dim = d, .rope_theta = base}).inv_freq}));
}

}  // namespace

Method sinusoidal_method() {
  return {.id = "sinusoidal",
          .title = "Sinusoidal",
          .category = "tables",
          .help = "Sines and cosines of a token's position, added to its embedding.",
          .citation = {"Vaswani et al. 2017, Attention Is All You Need, section 3.5",
                       "Hugging Face transformers, RoFormerSinusoidalPositionalEmbedding (concatenated)"},
          .traits =
              EncodingTraits{
                  .relative = false,
                  .each_layer = false,
                  .extrapolation = "Poor: perplexity doubles at 2× the training length (Press et al. 2022, table "
                                   "2).",
                  .note = {.trade_off = "No parameters, and a row for every position. It is added once to the "
                                        "embeddings, so each layer has to find distance in a mixture with content.",
                           .curve = "sinusoidal (Press et al.)"}},
          .parameters = sinusoidal_parameters(),
          .check = check_sinusoidal,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "dimension",
                                .value_title = "value",
                                .scale = ValueScale::diverging,
                                .col_name = [](const ParameterValues&) { return std::string("dimension"); },
                                .make = make_sinusoidal}};
}

}  // namespace vqscope
