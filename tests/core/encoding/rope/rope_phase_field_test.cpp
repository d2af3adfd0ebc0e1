// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "core/encoding/methods.h"
#include "core/method/method_list.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double pi = std::numbers::pi;

std::shared_ptr<const Field> field_of(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), id);
  return make_field(method, rope_values(method, set)).value();
}

QString error_of(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), id);
  const auto field = make_field(method, rope_values(method, set));
  return field ? QString() : shown(field.error().message);
}

/// Rounded values: the first that differs by more than `allowed`, or nothing.
template <class Out>
std::string read_is_off(const Field& field, const Rect& block, double allowed) {
  std::vector<Out> cells(static_cast<std::size_t>(block.area()));
  field.read(block, std::span(cells));
  auto next = cells.begin();
  for (Index row = block.rows.begin; row < block.rows.end; ++row)
    for (Index col = block.cols.begin; col < block.cols.end; ++col, ++next)
      if (std::abs(static_cast<double>(*next) - field.at(row, col)) > allowed)
        return cell_name(row, col) + ": read " + to_text(static_cast<double>(*next)) + ", at " +
               to_text(field.at(row, col));
  return {};
}

/// Means and extremes of cos or sin against the cells one by one.
std::string wave_summary_differs(const Field& field, const TileGrid& grid) {
  Summary summary;
  if (!field.summarize(grid, {}, summary)) return "cancelled";
  if (!summary.exact) return "not exact";
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) {
      const Rect tile = grid.tile(i, j);
      double low = 2, high = -2, sum = 0;
      for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
        for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
          const double value = field.at(row, col);
          low = std::min(low, value);
          high = std::max(high, value);
          sum += value;
        }
      const auto at = static_cast<std::size_t>(i * grid.cols() + j);
      const double mean = sum / static_cast<double>(tile.area());
      for (const auto& [name, got, wanted] :
           {std::tuple("min", summary.min[at], low), {"max", summary.max[at], high}, {"mean", summary.mean[at], mean}})
        if (std::abs(static_cast<double>(got) - wanted) > 1e-7)
          return std::string(name) + " at " + cell_name(tile.rows.begin, tile.cols.begin) + ": got " + to_text(got) +
                 ", expected " + to_text(wanted);
    }
  return {};
}

Rect random_block(Random& random, Extent extent) {
  const auto rows = random_edges(random, extent.rows);
  const auto cols = random_edges(random, extent.cols);
  return {{rows.front(), rows.back()}, {cols.front(), cols.back()}};
}

}  // namespace

class RopePhaseFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // theta 100, d 4: pairs turn by 1 and 0.1 a position.
    const ParameterValues::Map small{{"head_dim", Index{4}}, {"rope_theta", 100.0}, {"q_length", Index{100}}};
    const auto phase = field_of("rope_phase", small);
    QCOMPARE(phase->extent(), (Extent{100, 2}));
    QCOMPARE(phase->at(0, 0), 0.0);
    QCOMPARE(phase->at(3, 0), 3.0);
    QCOMPARE(phase->at(3, 1), 0.3);
    QCOMPARE(phase->at(10, 0), 10 - 2 * pi);
    QCOMPARE(field_of("rope_cos", small)->at(3, 1), std::cos(0.3));
    QCOMPARE(field_of("rope_sin", small)->at(3, 1), std::sin(0.3));
    QCOMPARE(phase->value_range(), (std::pair{0.0, 2 * pi}));
    QCOMPARE(field_of("rope_cos", small)->value_range(), (std::pair{-1.0, 1.0}));
  }

  void columns_as_dimensions() {
    ParameterValues::Map set{{"head_dim", Index{6}},
                             {"rotary_dim", Index{4}},
                             {"rope_theta", 100.0},
                             {"q_length", Index{8}},
                             {"columns", std::string("dimensions")}};
    const auto row = [](const Field& field) {
      std::vector<double> cells(6);
      field.read({{3, 4}, {0, 6}}, std::span(cells));
      return cells;
    };
    const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > 1e-14) return false;
      return a.size() == b.size();
    };
    const double slow = std::cos(0.3), fast = std::cos(3.0);
    QVERIFY(near(row(*field_of("rope_cos", set)), {fast, slow, fast, slow, 1, 1}));
    set["pair_layout"] = std::string("interleaved");
    QVERIFY(near(row(*field_of("rope_cos", set)), {fast, fast, slow, slow, 1, 1}));
    QCOMPARE(field_of("rope_sin", set)->at(3, 5), 0.0);
  }

  void positions_come_from_the_layout() {
    // Two tokens of padding, then documents of 3 and 5.
    const auto field = field_of("rope_phase", {{"head_dim", Index{4}},
                                               {"q_length", Index{10}},
                                               {"padding", Index{2}},
                                               {"document_lengths", std::vector<Index>{3, 5}}});
    const std::vector<double> wanted{0, 0, 0, 1, 2, 0, 1, 2, 3, 4};
    for (Index q = 0; q < 10; ++q) QCOMPARE(field->at(q, 0), wanted[static_cast<std::size_t>(q)]);
    const auto cached = field_of("rope_phase", {{"q_length", Index{1}}, {"past_len", Index{5}}});
    QCOMPARE(cached->at(0, 0), 5.0);
  }

  void phases_are_right_to_1e12() {
    const auto field = field_of("rope_phase", {{"q_length", Index{2097152}}});
    const auto truth = rope_frequencies({}).inv_freq;
    double worst = 0;
    for (Index row = 2097151; row > 0; row -= 9973)
      for (Index pair = 0; pair < 64; ++pair) {
        const long double angle = truth[static_cast<std::size_t>(pair)] * static_cast<long double>(row);
        const long double apart =
            std::remainder(static_cast<long double>(field->at(row, pair)) - angle, 2 * std::numbers::pi_v<long double>);
        worst = std::max(worst, static_cast<double>(std::abs(apart)));
      }
    QVERIFY2(worst < 1e-12, qPrintable(QString::number(worst)));
  }

  void read_agrees_with_at() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      for (const auto quantity : {PhaseQuantity::phase, PhaseQuantity::cos, PhaseQuantity::sin}) {
        const auto field = make_rope_field(random_picture(random, quantity, 700));
        const Rect block = random_block(random, field->extent());
        const auto text = read_is_off<double>(*field, block, 1e-13) + read_is_off<float>(*field, block, 4e-7);
        QVERIFY2(text.empty(), text.c_str());
      }
    }
  }

  void cos_and_sin_are_right_to_6e8_far_out() {
    for (const auto* id : {"rope_cos", "rope_sin"}) {
      const auto field = field_of(id, {{"q_length", Index{2097152}}});
      const auto text = read_is_off<float>(*field, {{2096000, 2097152}, {0, 64}}, 6e-8);
      QVERIFY2(text.empty(), text.c_str());
    }
  }

  void phase_summaries_agree_with_all_cells() {
    Random random(2);
    for (int i = 0; i < 300; ++i) {
      const auto field = make_rope_field(random_picture(random, PhaseQuantity::phase, 500));
      const auto text = angular_summary_differs(*field, random_tile_grid(random, field->extent()));
      QVERIFY2(text.empty(), text.c_str());
    }
  }

  void wave_summaries_agree_with_all_cells() {
    Random random(3);
    for (int i = 0; i < 300; ++i)
      for (const auto quantity : {PhaseQuantity::cos, PhaseQuantity::sin}) {
        const auto field = make_rope_field(random_picture(random, quantity, 400));
        const auto text = wave_summary_differs(*field, random_tile_grid(random, field->extent()));
        QVERIFY2(text.empty(), text.c_str());
      }
  }

  void summary_of_two_million_positions_is_exact() {
    const auto field = field_of("rope_cos", {{"q_length", Index{2097152}}});
    Summary summary;
    QVERIFY(field->summarize({{0, 2097152}, {0, 1, 64}}, {.threads = 2}, summary));
    QVERIFY(summary.exact);
    double sum = 0;
    for (Index row = 0; row < 2097152; ++row) sum += field->at(row, 0);
    QVERIFY(std::abs(static_cast<double>(summary.mean[0]) - sum / 2097152) < 1e-12);
    QCOMPARE(summary.max[0], 1.0F);
    QCOMPARE(summary.min[0], -1.0F);
  }

  void summary_has_only_requested_planes() {
    const auto field = field_of("rope_phase", {{"q_length", Index{100}}});
    Summary summary;
    QVERIFY(field->summarize({{0, 100}, {0, 64}}, {.extremes = false}, summary));
    QVERIFY(summary.min.empty() && summary.max.empty());
    QCOMPARE(summary.mean.size(), std::size_t{1});
    QCOMPARE(summary.coherence.size(), std::size_t{1});
    QVERIFY(field->summarize({{0, 100}, {0, 64}}, {.mean = false}, summary));
    QVERIFY(summary.mean.empty() && summary.coherence.empty());
  }

  void stops() {
    std::stop_source source;
    source.request_stop();
    for (const auto* precision : {"exact", "hf_float32"}) {
      const auto field = field_of("rope_phase", {{"precision", std::string(precision)}});
      Summary summary;
      const auto done = field->summarize({{0, 8192}, {0, 64}}, {.stop = source.get_token()}, summary);
      QVERIFY(!done && done.error().code == Errc::cancelled);
    }
  }

  void float32_agrees_with_models() {
    const ParameterValues::Map set{{"q_length", Index{2097152}}, {"precision", std::string("hf_float32")}};
    const auto cos = field_of("rope_cos", set);
    const auto phase = field_of("rope_phase", set);
    const auto exact = field_of("rope_cos", {{"q_length", Index{2097152}}});
    double worst = 0;
    for (Index row = 2097151; row > 2090000; row -= 7)
      for (Index pair = 0; pair < 64; ++pair) {
        const float inv_freq = 1.0F / std::pow(10000.0F, static_cast<float>(2 * pair) / 128.0F);
        const float angle = static_cast<float>(row) * inv_freq;
        const auto wanted = static_cast<float>(std::cos(static_cast<long double>(angle)));
        QCOMPARE(cos->at(row, pair), static_cast<double>(wanted));
        QVERIFY(std::abs(std::cos(phase->at(row, pair)) - std::cos(static_cast<double>(angle))) < 1e-9);
        worst = std::max(worst, std::abs(cos->at(row, pair) - exact->at(row, pair)));
      }
    QVERIFY2(worst > 0.05 && worst < 0.2, qPrintable(QString("%1 off near position 2^21").arg(worst)));
  }

  void float32_summaries() {
    Random random(4);
    for (int i = 0; i < 100; ++i) {
      auto picture = random_picture(random, PhaseQuantity::phase, 300);
      picture.scaling.precision = RopePrecision::hf_float32;
      picture.frequencies = rope_frequencies(picture.scaling);
      const auto field = make_rope_field(picture);
      const TileGrid grid = random_tile_grid(random, field->extent());
      auto text = angular_summary_differs(*field, grid) + read_differs(*field, grid.bounds());
      QVERIFY2(text.empty(), text.c_str());
      picture.quantity = PhaseQuantity::sin;
      text = wave_summary_differs(*make_rope_field(picture), grid);
      QVERIFY2(text.empty(), text.c_str());
    }
  }

  void reports_have_a_reason() {
    const auto field = field_of("rope_phase", {{"head_dim", Index{4}}, {"rope_theta", 100.0}});
    const CellReport report = field->report(5000, 1);
    COMPARE_TEXT(
        report.why,
        "position 5\u202f000 · inv_freq 0.1 = 500 rad: 79 whole turns and 3.628361 rad; beyond the training length "
        "4\u202f096");
    const std::vector<std::pair<std::string, std::string>> facts{
        {"q", "5000"},         {"position", "5000"},
        {"pair", "1"},         {"dimensions", "1 and 3"},
        {"inv_freq", "0.1"},   {"wavelength", "62.83185 tokens"},
        {"turns", "79.57747"}, {"phase", "3.628361 rad"}};
    QCOMPARE(report.facts, facts);
    const auto first = field->report(2, 0);
    COMPARE_TEXT(first.why, "position 2 · inv_freq 1 = 2 rad, within the first turn");
  }

  void reports_of_padding_and_of_unrotated_dimensions() {
    const auto padded = field_of("rope_phase", {{"q_length", Index{9}}, {"padding", Index{4}}});
    QVERIFY(shown(padded->report(1, 0).why).contains("the token is padding"));
    const auto part = field_of("rope_cos", {{"rotary_dim", Index{64}},
                                            {"columns", std::string("dimensions")},
                                            {"pair_layout", std::string("interleaved")}});
    COMPARE_TEXT(part->report(7, 100).why, "dimension 100 is beyond rotary_dim 64, so it is not rotated: cos 1, sin 0");
    QCOMPARE(part->report(7, 5).facts[4], (std::pair<std::string, std::string>("dimensions", "4 and 5")));
  }

  void trained_length_is_marked() {
    const auto at = [](const ParameterValues::Map& set) {
      const auto marks = field_of("rope_phase", set)->marks();
      return marks.empty() ? -1.0 : marks.front().at;
    };
    QCOMPARE(at({}), 4096.0);
    QCOMPARE(at({{"q_length", Index{4096}}}), -1.0);
    QCOMPARE(at({{"past_len", Index{1000}}}), 3096.0);
    QCOMPARE(at({{"past_len", Index{5000}}}), -1.0);
    QCOMPARE(at({{"padding", Index{10}}}), 4106.0);
    QCOMPARE(at({{"document_lengths", std::vector<Index>{3000, 5192}}}), 7096.0);
    COMPARE_TEXT(field_of("rope_phase", {})->marks().front().label, "training length 4\u202f096");
  }

  void error_texts() {
    COMPARE_TEXT(error_of("rope_phase", {{"rotary_dim", Index{130}}}).toStdString(),
                 "rotary_dim is 130 but must be at most head_dim = 128, or 0 to follow it");
    COMPARE_TEXT(error_of("rope_cos", {{"factor", 0.001}}).toStdString(),
                 "factor is 0.001 but must be a number from 0.01 to 1024");
    COMPARE_TEXT(
        error_of("rope_sin", {{"rope_type", std::string("line")}}).toStdString(),
        "rope_type is line but must be one of default, linear, ntk, dynamic_linear, dynamic, ntk_by_parts, yarn, "
        "longrope, llama3; did you mean linear?");
    COMPARE_TEXT(error_of("rope_phase", {{"columns", std::string("pairs")}}).toStdString(),
                 "unknown parameter columns");
  }
};

VQSCOPE_TEST(RopePhaseFieldTest)
#include "rope_phase_field_test.moc"
