// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/score/score_values.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/phase/rope_table.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/block_walk.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"
#include "core/sequence/sequence_layout.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace vqscope {
namespace {

using Vectors = Eigen::MatrixXd;  ///< one a column

/// Each from a stream of its own, so that a longer sequence begins with the same vectors. Stopped,
/// one that is 0.
Vectors drawn(std::uint64_t seed, std::uint64_t stream, Index d, Index count, const std::stop_token& stop) {
  SeededRandom random(SeededRandom(seed).bits() ^ stream);
  Vectors vectors(d, count);
  for (Index i = 0; i < count; ++i) {
    if (stop.stop_requested()) return Vectors::Zero(d, 1);
    for (double& entry : vectors.col(i)) entry = random.normal();
  }
  return vectors;
}

/// r of distances 0, 1, ...: [sin | cos] of distance · 10000^(-2i / d).
Vectors sinusoids(Index d, Index count, Index clamp_len, const std::stop_token& stop) {
  const auto rates = turns_of(rope_frequencies({.head_dim = d, .rope_theta = 10000}).inv_freq);
  const auto pairs = static_cast<Eigen::Index>(rates.size());
  const Index computed = clamp_len > 0 ? std::min(count, clamp_len + 1) : count;
  Vectors cos(pairs, computed);
  Vectors sin(pairs, computed);
  const RopeTable table(rates);
  constexpr Index some = 256;  // distances
  for (Index first = 0; first < computed; first += some) {
    if (stop.stop_requested()) return Vectors::Zero(d, 1);
    table.fill(first, std::min(some, computed - first), cos.col(first).data(), sin.col(first).data());
  }
  Vectors all(d, count);
  all.leftCols(computed) << sin, cos;
  for (Index distance = computed; distance < count; ++distance) all.col(distance) = all.col(computed - 1);
  return all;
}

/// Which product with r the shifted matrix has in a cell: that of query `row` at `distance`.
struct Source {
  Index row;
  Index distance;
};

class TransformerXlField : public Field {
 public:
  /// Stopped, its numbers mean nothing.
  TransformerXlField(const TransformerXl& xl, const std::stop_token& stop);

  Extent extent() const override { return {m_xl.q_length, m_xl.kv_length()}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return value(m_xl.term, row, col); }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override { return {-m_reach, m_reach}; }
  CellReport report(Index row, Index col) const override;

 private:
  bool has(XlTerm term) const { return m_xl.term == term || m_xl.term == XlTerm::total; }
  /// Empty where the code's shift leaves its column of zeros.
  std::optional<Source> source(Index row, Index col) const;
  bool ahead(Index row, Index col) const { return col > row + m_xl.mem_len; }
  double value(XlTerm term, Index row, Index col) const;
  double reach() const;
  template <class Cell>
  void fill(const Rect& block, Cell* out) const;
  void add_positions(const Rect& block, Eigen::MatrixXd& cells) const;

  TransformerXl m_xl;
  double m_scale;
  Vectors m_q, m_k, m_r;
  Eigen::VectorXd m_u, m_v;
  double m_reach;
};

TransformerXlField::TransformerXlField(const TransformerXl& xl, const std::stop_token& stop)
    : m_xl(xl),
      m_scale(1 / std::sqrt(static_cast<double>(xl.d_head))),
      m_q(drawn(xl.seed, 0, xl.d_head, xl.q_length, stop)),
      m_k(drawn(xl.seed, 1, xl.d_head, xl.kv_length(), stop)),
      m_r(sinusoids(xl.d_head, xl.kv_length(), xl.clamp_len, stop)),
      m_u(drawn(xl.seed, 2, xl.d_head, 1, stop)),
      m_v(drawn(xl.seed, 3, xl.d_head, 1, stop)),
      m_reach(reach()) {}

/// The code pads a column of zeros on the left of [q_length, kv_length] products by descending
/// distance, takes the result for [kv_length + 1, q_length] and drops its first row: each row moves
/// left by what is missing of it, and past its end come the zero and then the beginning of the next
/// row.
std::optional<Source> TransformerXlField::source(Index row, Index col) const {
  const Index distance = row + m_xl.mem_len - col;
  if (distance >= 0) return Source{row, distance};
  if (distance == -1) return std::nullopt;
  return Source{row + 1, m_xl.kv_length() + 1 + distance};
}

double TransformerXlField::value(XlTerm term, Index row, Index col) const {
  if (ahead(row, col) && !m_xl.future_as_code) return std::numeric_limits<double>::quiet_NaN();
  const auto from = source(row, col);
  switch (term) {
    case XlTerm::content: return m_scale * m_q.col(row).dot(m_k.col(col));
    case XlTerm::content_bias: return m_scale * m_u.dot(m_k.col(col));
    case XlTerm::position: return from ? m_scale * m_q.col(from->row).dot(m_r.col(from->distance)) : 0;
    case XlTerm::position_bias: return from ? m_scale * m_v.dot(m_r.col(from->distance)) : 0;
    case XlTerm::total: break;
  }
  return value(XlTerm::content, row, col) + value(XlTerm::content_bias, row, col) + value(XlTerm::position, row, col) +
         value(XlTerm::position_bias, row, col);
}

/// By Cauchy and Schwarz; |r| is √(d/2).
double TransformerXlField::reach() const {
  const double q = std::sqrt(m_q.colwise().squaredNorm().maxCoeff());
  const double k = std::sqrt(m_k.colwise().squaredNorm().maxCoeff());
  const double r = std::sqrt(static_cast<double>(m_xl.d_head) / 2);
  double sum = 0;
  if (has(XlTerm::content)) sum += q * k;
  if (has(XlTerm::content_bias)) sum += m_u.norm() * k;
  if (has(XlTerm::position)) sum += q * r;
  if (has(XlTerm::position_bias)) sum += m_v.norm() * r;
  return m_scale * sum;
}

/// Products of the rows that the block's cells come from with r of all distances between them, then
/// each from its place.
void TransformerXlField::add_positions(const Rect& block, Eigen::MatrixXd& cells) const {
  const auto add = [&](Index row, Index first, Index last, const auto& to) {  // distances, ascending
    Eigen::VectorXd by = Eigen::VectorXd::Zero(m_xl.d_head);
    if (has(XlTerm::position)) by += m_q.col(row);
    if (has(XlTerm::position_bias)) by += m_v;
    const Eigen::VectorXd products = m_r.middleCols(first, last - first + 1).transpose() * by;
    for (Index distance = first; distance <= last; ++distance) to(distance) += products[distance - first];
  };
  for (Index i = 0; i < block.rows.size(); ++i) {
    const Index row = block.rows.begin + i;
    const Index own = row + m_xl.mem_len;  // the query's own key
    const Index first = block.cols.begin;
    const auto cell = [&](Index col) -> double& { return cells(col - first, i); };
    if (const Index end = std::min(block.cols.end, own + 1); end > first)
      add(row, own - (end - 1), own - first, [&](Index distance) -> double& { return cell(own - distance); });
    if (!m_xl.future_as_code) continue;
    if (const Index begin = std::max(first, own + 2); begin < block.cols.end) {
      const Index shift = m_xl.kv_length() + 1 + own;  // distance + key
      add(row + 1, shift - (block.cols.end - 1), shift - begin,
          [&](Index distance) -> double& { return cell(shift - distance); });
    }
  }
}

template <class Cell>
void TransformerXlField::fill(const Rect& block, Cell* out) const {
  const Index rows = block.rows.size();
  const Index cols = block.cols.size();
  Eigen::MatrixXd cells = Eigen::MatrixXd::Zero(cols, rows);
  const auto keys = m_k.middleCols(block.cols.begin, cols);
  if (has(XlTerm::content)) cells.noalias() += keys.transpose() * m_q.middleCols(block.rows.begin, rows);
  if (has(XlTerm::content_bias)) {
    const Eigen::VectorXd bias = keys.transpose() * m_u;
    cells.colwise() += bias;
  }
  if (has(XlTerm::position) || has(XlTerm::position_bias)) add_positions(block, cells);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const bool none = !m_xl.future_as_code && ahead(block.rows.begin + i, block.cols.begin + j);
      *out++ = none ? std::numeric_limits<Cell>::quiet_NaN() : static_cast<Cell>(m_scale * cells(j, i));
    }
}

void TransformerXlField::read(const Rect& block, CellSpan out) const {
  if (!fill_reals(out, [&](auto* numbers) { fill(block, numbers); })) Field::read(block, out);
}

CellReport TransformerXlField::report(Index row, Index col) const {
  const Index own = row + m_xl.mem_len;
  const std::string root = fmt::format(" / √{}", m_xl.d_head);
  const auto from = source(row, col);
  CellReport report;
  report.facts = {{"q", to_text(row)}, {"k", to_text(col)}, {"distance", to_text(own - col)}};
  const std::pair<XlTerm, const char*> terms[] = {{XlTerm::content, "q·k"},
                                                  {XlTerm::position, "q·r"},
                                                  {XlTerm::content_bias, "u·k"},
                                                  {XlTerm::position_bias, "v·r"},
                                                  {XlTerm::total, "total"}};
  if (!ahead(row, col)) {
    report.why = "k is " + (own == col ? "q itself" : grouped(own - col) + " behind q");
    if (m_xl.clamp_len > 0 && own - col > m_xl.clamp_len)
      report.why += ", which clamp_len takes for " + grouped(m_xl.clamp_len);
    report.why += ": (q·k + q·r + u·k + v·r)" + root;
  } else {
    report.why = fmt::format("k is {} ahead of q, ", grouped(col - own));
    if (!m_xl.future_as_code)
      report.why += "where the model has no score: its mask hides it";
    else if (!from)
      report.why += "where the code's shift leaves its column of zeros: (q·k + u·k)" + root + ", for the mask to hide";
    else
      report.why += fmt::format("where the code's shift leaves r of distance {} with query {}, for the mask to hide",
                                grouped(from->distance), grouped(from->row));
  }
  if (ahead(row, col) && !m_xl.future_as_code) return report;
  for (const auto& [term, name] : terms)
    report.facts.emplace_back(term == XlTerm::total ? std::string(name) : name + root,
                              to_text(value(term, row, col), 7));
  return report;
}

constexpr std::pair<const char*, XlTerm> term_ids[] = {{"total", XlTerm::total},
                                                       {"content", XlTerm::content},
                                                       {"position", XlTerm::position},
                                                       {"content_bias", XlTerm::content_bias},
                                                       {"position_bias", XlTerm::position_bias}};

TransformerXl xl_from(const ParameterValues& values) {
  const auto* term =
      std::ranges::find(term_ids, values.choice("term"), [](const auto& each) { return std::string(each.first); });
  return {.q_length = values.integer("q_length"),
          .mem_len = values.integer("mem_len"),
          .d_head = values.integer("d_head"),
          .clamp_len = values.integer("clamp_len"),
          .term = term->second,
          .future_as_code = values.choice("future") == "as_code",
          .seed = static_cast<std::uint64_t>(values.integer("seed"))};
}

std::vector<ParameterSpec> transformer_xl_parameters() {
  const std::string group = "Transformer-XL";
  const auto length = [&](const char* name, const char* help, Index default_value, double minimum) {
    return make_parameter(name, group, help,
                          {.default_value = default_value,
                           .minimum = minimum,
                           .maximum = 2147483648.0,
                           .logarithmic = true,
                           .unit = "tokens"});
  };
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, 512))
    if (spec.name == "q_length") specs.push_back(std::move(spec));
  specs.push_back(length("mem_len", "Number of cached keys from earlier segments.", Index{0}, 0));
  specs.back().role = ParameterRole::shape;
  add_parameter(specs, "d_head", group, "Number of dimensions of a head. Must be even.",
                {.default_value = Index{64}, .minimum = 2, .maximum = 4096, .logarithmic = true});
  specs.push_back(length("clamp_len", "Distances are clamped to this value.", Index{0}, 0));
  specs.back().automatic = "no limit";
  add_parameter(specs, "term", group, "Term of the score to show.",
                {.default_value = std::string("total"),
                 .choices = {{"total", "all four terms"},
                             {"content", "q·k: content of the query and the key"},
                             {"position", "q·r: content of the query and distance"},
                             {"content_bias", "u·k: content of the key, the same for every query"},
                             {"position_bias", "v·r: distance, the same for every query"}}});
  add_parameter(
      specs, "future", group, "Values shown for keys after the query, which the causal mask hides.",
      {.default_value = std::string("none"),
       .choices = {
           {"none", "no value"},
           {"as_code", "the values that the authors' relative shift leaves there: products of the next query"}}});
  specs.push_back(seed_parameter(group, "Random seed of the synthetic q, k, u and v, which are standard normal."));
  return specs;
}

/// Values that the code leaves for keys after the query are shown.
std::optional<Index> xl_decoder_past(const ParameterValues& values) {
  return values.choice("future") == "as_code" ? std::nullopt : std::optional(values.integer("mem_len"));
}

constexpr std::uint64_t most_transformer_xl_bytes = std::uint64_t{64} << 20;

/// Bytes of the vectors that a field of these sizes keeps.
std::uint64_t transformer_xl_bytes(const TransformerXl& xl) {
  // At most 2^31 + 2 · 2^32 vectors of 2^12 doubles: 2^48.4 bytes.
  const Index vectors = xl.q_length + 2 * xl.kv_length();
  return static_cast<std::uint64_t>(vectors) * static_cast<std::uint64_t>(xl.d_head) * sizeof(double);
}

Result<void> check_transformer_xl(const ParameterValues& values) {
  const TransformerXl xl = xl_from(values);
  if (xl.d_head % 2 != 0) return invalid("d_head is {} but must be even", xl.d_head);
  const std::uint64_t bytes = transformer_xl_bytes(xl);
  if (bytes <= most_transformer_xl_bytes) return {};
  return invalid("q_length {}, mem_len {} and d_head {} need {} for q, k and r but must be at most {}", xl.q_length,
                 xl.mem_len, xl.d_head, byte_count(static_cast<double>(bytes)),
                 byte_count(static_cast<double>(most_transformer_xl_bytes)));
}

}  // namespace

Method transformer_xl_score_method() {
  return {
      .id = "transformer_xl_score",
      .title = "Transformer-XL score",
      .category = "scores",
      .help = "The four terms of Transformer-XL's score, for synthetic q, k, u and v and the sinusoid r.",
      .citation = {"Dai et al. 2019, Transformer-XL, section 3.3 and appendix B",
                   "kimiyoung/transformer-xl, pytorch/mem_transformer.py (RelPartialLearnableMultiHeadAttn)"},
      .traits =
          EncodingTraits{.relative = true,
                         .trainable = true,
                         .extrapolation = "Evaluated with memories longer than in training (Dai et al. 2019, "
                                          "section 4.2).",
                         .note = {.trade_off = "Content and place have terms of their own. Costs one more product per "
                                               "layer, a shift of its result, and a learned projection in each layer.",
                                  .published = "Perplexity 18.3 on WikiText-103 and 0.99 bits per byte on enwik8.",
                                  .source = "Dai et al. 2019, Transformer-XL, abstract"}},
      .parameters = transformer_xl_parameters(),
      .check = check_transformer_xl,
      .recipe = FieldRecipe{
          .row_title = "query position q",
          .col_title = "key position k",
          .value_title = "score",
          .scale = ValueScale::diverging,
          .decoder_past = xl_decoder_past,
          .untrained = [](const ParameterValues& v) { return untrained_values(v.integer("seed")); },
          .make = [](const ParameterValues& values, const Work& work) -> Result<std::shared_ptr<const Field>> {
            auto field = std::make_shared<TransformerXlField>(xl_from(values), work.stop);
            if (work.stop.stop_requested()) return cancelled();
            return std::shared_ptr<const Field>(std::move(field));
          }}};
}

}  // namespace vqscope
