// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/which_rope.h"
#include "core/base/random.h"
#include "core/capture/rope/frequency_family.h"
#include "core/encoding/rope/mrope_layout.h"
#include "core/method/shared/number_type.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace vqscope;

namespace {

/// A rotation that is planted in random vectors.
struct PlantedRope {
  FrequencyFamily family;
  PairLayout layout = PairLayout::half_split;
  Index rotary_dim = 32;
  Index head_dim = 32;
  std::vector<Index> positions;
  double attention_factor = 1;
  const NumberType* table_cast = nullptr;
  const NumberType* inv_freq_cast = nullptr;
  const NumberType* position_cast = nullptr;
  const NumberType* stored = nullptr;
};

std::vector<Index> counted(Index first, Index rows) {
  std::vector<Index> positions(static_cast<std::size_t>(rows));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// Turns of theta 500000 by three lists of positions.
RotationTables tables_of(const std::vector<std::vector<Index>>& positions, std::span<const std::uint8_t> axis,
                         double noise) {
  const Index pairs = std::ssize(axis);
  RotationTables tables{.turns = {.rows = std::ssize(positions.front()), .pairs = pairs, .factor = {}, .variance = {}},
                        .layout = PairLayout::half_split,
                        .rotary_dim = 2 * pairs};
  const auto frequency = FrequencyFamily{FrequencyRule::plain, 5e5}.frequencies(pairs, 2 * pairs, 2 * pairs);
  SeededRandom random(7);
  for (std::size_t row = 0; row < positions.front().size(); ++row)
    for (std::size_t k = 0; k < frequency.size(); ++k) {
      const std::complex error(noise * random.normal(), noise * random.normal());
      tables.turns.factor.push_back(std::polar(1.0, static_cast<double>(positions[axis[k]][row]) * frequency[k]) +
                                    error);
      tables.turns.variance.push_back(2 * noise * noise);
    }
  return tables;
}

std::string cast_of(const PlantedRope& planted) {
  if (planted.table_cast) return "cos_sin";
  if (planted.inv_freq_cast) return "inv_freq";
  return planted.position_cast ? "positions" : "";
}

double rounded(const NumberType* type, double value) { return type ? type->rounded(value) : value; }

RotatedVectors vectors_of(const PlantedRope& planted, std::uint64_t seed) {
  const Index rows = std::ssize(planted.positions), heads = 2, pairs = planted.rotary_dim / 2;
  RotatedVectors vectors{"q",
                         rows,
                         heads,
                         planted.head_dim,
                         {},
                         {},
                         planted.stored ? planted.stored->unit() : number_type("float32").unit()};
  SeededRandom random(seed);
  for (Index i = 0; i < rows * heads * planted.head_dim; ++i)
    vectors.before.push_back(static_cast<float>(rounded(planted.stored, random.normal())));
  vectors.after = vectors.before;
  const auto frequency = planted.family.frequencies(pairs, planted.rotary_dim, planted.head_dim);
  for (Index row = 0; row < rows; ++row)
    for (Index head = 0; head < heads; ++head)
      for (Index pair = 0; pair < pairs; ++pair) {
        const auto [a, b] = dimensions_of(pair, pairs, planted.layout, planted.head_dim);
        const auto at = static_cast<std::size_t>((row * heads + head) * planted.head_dim);
        const auto one = at + static_cast<std::size_t>(a), two = at + static_cast<std::size_t>(b);
        const auto position = static_cast<double>(planted.positions[static_cast<std::size_t>(row)]);
        const double turn = rounded(planted.position_cast, position) *
                            rounded(planted.inv_freq_cast, frequency[static_cast<std::size_t>(pair)]);
        const double cos = rounded(planted.table_cast, planted.attention_factor * std::cos(turn));
        const double sin = rounded(planted.table_cast, planted.attention_factor * std::sin(turn));
        const double x = vectors.before[one], y = vectors.before[two];
        vectors.after[one] = static_cast<float>(rounded(planted.stored, x * cos - y * sin));
        vectors.after[two] = static_cast<float>(rounded(planted.stored, y * cos + x * sin));
      }
  return vectors;
}

WhichRope told(const PlantedRope& planted) {
  const std::vector<RotatedVectors> vectors{vectors_of(planted, 1)};
  auto answer = which_rope(vectors);
  if (!answer) qFatal("%s", answer.error().message.c_str());
  return *answer;
}

}  // namespace

/// The rotation that is told is the one that was planted.
class WhichRopeTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Two columns turned by 0, 90 and 180 degrees: one pair, a quarter turn a position.
  void a_quarter_turn_by_hand() {
    const RotatedVectors vectors{
        "q", 3, 1, 2, {1, 2, 1, 2, 1, 2}, {1, 2, -2, 1, -1, -2}, number_type("float32").unit()};
    const MeasuredTurns turns = turns_of({&vectors, 1}, {PairLayout::half_split, 2, 0});
    QCOMPARE(turns.pairs, Index{1});
    for (Index row = 0; row < 3; ++row)
      QVERIFY(std::abs(turns.at(row, 0) - std::polar(1.0, static_cast<double>(row) * std::acos(0.0))) < 1e-7);
  }

  void rules_layouts_and_positions_data() {
    QTest::addColumn<int>("number");
    for (int i = 0; i < 12; ++i) QTest::addRow("%d", i) << i;
  }

  void rules_layouts_and_positions() {
    QFETCH(int, number);
    std::vector<Index> packed = counted(0, 20);
    for (Index i = 0; i < 12; ++i) packed.push_back(i);
    const auto bf16 = &number_type("bfloat16"), f16 = &number_type("float16");
    using enum FrequencyRule;
    const std::vector<PlantedRope> all{
        {.family = {plain, 1e4}, .positions = counted(0, 24)},
        {.family = {plain, 5e5}, .layout = PairLayout::interleaved, .head_dim = 48, .positions = counted(7000, 16)},
        {.family = {linear, 1e5, 4}, .positions = packed},
        {.family = {llama3, 5e5, 8, 8192}, .rotary_dim = 64, .head_dim = 64, .positions = counted(17, 32)},
        {.family = {yarn, 1e4, 4, 4096},
         .rotary_dim = 64,
         .head_dim = 64,
         .positions = counted(0, 32),
         .attention_factor = 1.25},
        {.family = {plain, 1e4}, .layout = PairLayout::head_split, .rotary_dim = 16, .positions = counted(0, 24)},
        {.family = {plain, 1e6}, .positions = counted(100, 32), .table_cast = bf16},
        {.family = {linear, 1e5, 2}, .positions = counted(17, 24), .inv_freq_cast = f16},
        {.family = {plain, 1e5}, .positions = counted(40000, 400), .position_cast = bf16},
        {.family = {yarn, 1e5, 1.5, 8192}, .positions = counted(2047, 128), .position_cast = f16},
        {.family = {proportional, 5e5},
         .layout = PairLayout::head_split,
         .rotary_dim = 64,
         .head_dim = 128,
         .positions = counted(0, 16),
         .table_cast = bf16},
        {.family = {llama3, 12500, 1.5, 8192}, .head_dim = 64, .positions = counted(40000, 24)}};
    const PlantedRope& planted = all[static_cast<std::size_t>(number)];
    const WhichRope rope = told(planted);
    QVERIFY(rope.pair_layout == planted.layout);
    QCOMPARE(rope.rope_type.value_or("-"), std::string(name_of(planted.family.rule)));
    QCOMPARE(rope.rope_theta.value_or(0), planted.family.theta);
    QCOMPARE(rope.attention_factor, planted.attention_factor);
    QVERIFY(rope.positions == std::vector<std::vector<Index>>{planted.positions});
    if (planted.family.factor != 1) QCOMPARE(rope.factor.value_or(0), planted.family.factor);
    if (planted.family.rule == llama3)
      QCOMPARE(rope.original_max_position_embeddings.value_or(0), planted.family.original);
    QCOMPARE(rope.cast ? rope.cast->what : "", cast_of(planted));
    const auto frequency = planted.family.frequencies(planted.rotary_dim / 2, planted.rotary_dim, planted.head_dim);
    QCOMPARE(rope.inv_freq.size(), frequency.size());
    for (std::size_t k = 0; k < frequency.size(); ++k)
      QVERIFY(std::abs(rope.inv_freq[k] - frequency[k]) <= 0.002 * frequency[k]);
  }

  void long_captures_in_bfloat16_data() {
    QTest::addColumn<int>("number");
    for (int i = 0; i < 9; ++i) QTest::addRow("%d", i) << i;
  }

  /// Slow pairs turn by less than a step of the type for thousands of rows.
  void long_captures_in_bfloat16() {
    QFETCH(int, number);
    const auto bf16 = &number_type("bfloat16"), f16 = &number_type("float16");
    std::vector<Index> after_padding(1300, 0);
    for (Index i = 0; i < 2700; ++i) after_padding.push_back(i);
    using enum FrequencyRule;
    const std::vector<PlantedRope> all{
        {.family = {plain, 50335000}, .rotary_dim = 16, .positions = counted(2047, 4096), .stored = bf16},
        {.family = {linear, 250000, 16},
         .rotary_dim = 96,
         .head_dim = 96,
         .positions = counted(0, 4096),
         .stored = bf16},
        {.family = {llama3, 1e6, 32, 2048},
         .rotary_dim = 96,
         .head_dim = 96,
         .positions = counted(17, 4096),
         .stored = bf16},
        {.family = {plain, 8e6}, .layout = PairLayout::interleaved, .positions = counted(7000, 8192), .stored = bf16},
        {.family = {linear, 1e4, 16}, .positions = counted(0, 4096), .position_cast = bf16, .stored = bf16},
        {.family = {llama3, 1.5e5, 8, 2048}, .positions = counted(2047, 4096), .position_cast = bf16, .stored = bf16},
        {.family = {linear, 1e5, 32}, .positions = counted(40000, 2000), .position_cast = f16, .stored = bf16},
        {.family = {plain, 305282},  // dynamic NTK's
         .rotary_dim = 128,
         .head_dim = 128,
         .positions = counted(700, 3000),
         .inv_freq_cast = bf16,
         .stored = bf16},
        {.family = {linear, 1e4, 32}, .rotary_dim = 128, .head_dim = 128, .positions = after_padding, .stored = bf16}};
    const PlantedRope& planted = all[static_cast<std::size_t>(number)];
    const WhichRope rope = told(planted);
    QCOMPARE(rope.rope_type.value_or("-"), std::string(name_of(planted.family.rule)));
    QVERIFY(std::abs(rope.rope_theta.value_or(0) / planted.family.theta - 1) < 0.01);
    QVERIFY(std::abs(rope.factor.value_or(1) / planted.family.factor - 1) < 0.01);
    QVERIFY(rope.positions == std::vector<std::vector<Index>>{planted.positions});
    QCOMPARE(rope.cast ? rope.cast->what : "", cast_of(planted));
  }

  /// Under M-RoPE an image of 4 columns has more rows than the text before it.
  void axes_of_an_image() {
    const Index text = 12, image = 52, pairs = 16;
    std::vector<std::vector<Index>> positions(3);
    for (Index i = 0; i < text + image; ++i) {
      const Index cell = i - text;
      for (auto& axis : positions) axis.push_back(2047 + std::min(i, text));
      if (cell < 0) continue;
      positions[1].back() += cell / 4;
      positions[2].back() += cell % 4;
    }
    std::vector<std::uint8_t> axis;
    for (Index k = 0; k < pairs; ++k) axis.push_back(k < 4 ? 0 : k < 10 ? 1 : 2);
    const auto rope = which_rope(tables_of(positions, axis, 1e-7));
    QVERIFY(rope.has_value());
    QCOMPARE(rope->rope_type.value_or("-"), std::string("mrope"));
    QCOMPARE(rope->rope_theta.value_or(0), 5e5);
    QVERIFY(rope->positions == positions);
  }

  void noisy_images_data() {
    QTest::addColumn<int>("order");
    QTest::newRow("Qwen2-VL") << static_cast<int>(MropeOrder::runs);
    QTest::newRow("Qwen3-VL") << static_cast<int>(MropeOrder::interleaved);
    QTest::newRow("ERNIE 4.5 VL") << static_cast<int>(MropeOrder::height_first);
  }

  /// No row tells its column of the image: slow pairs turn by less than the noise. All rows together do.
  void noisy_images() {
    QFETCH(const int, order);
    const std::array<Index, 4> texts{40, 90, 30, 0};
    const std::array<MropeGrid, 3> images{{{1, 20, 33}, {4, 12, 9}, {1, 7, 40}}};
    const auto layout = MropeLayout::make(texts, images, 1);
    QVERIFY(layout.has_value());
    std::vector<std::vector<Index>> positions(3);
    for (Index token = 0; token < layout->tokens(); ++token)
      for (std::size_t a = 0; a < 3; ++a) positions[a].push_back(17 + layout->position(token)[a]);
    const std::array<std::array<Index, 3>, 3> sections{{{16, 24, 24}, {24, 20, 20}, {22, 22, 20}}};
    const auto axis = mrope_axes(sections[static_cast<std::size_t>(order)], static_cast<MropeOrder>(order), 64);
    QVERIFY(axis.has_value());
    const auto rope = which_rope(tables_of(positions, *axis, 3e-3));
    QVERIFY2(rope.has_value(), rope ? "" : rope.error().message.c_str());
    QCOMPARE(rope->rope_type.value_or("-"), std::string("mrope"));
    QCOMPARE(rope->rope_theta.value_or(0), 5e5);
    QVERIFY(rope->positions == positions);
    // The slowest pairs turn on no axis by what is seen.
    constexpr std::ptrdiff_t seen = 44;
    QVERIFY(std::equal(axis->begin(), axis->begin() + seen, rope->axis.begin()));
  }

  void refusals() {
    const RotatedVectors still{"q", 3, 1, 4, std::vector<float>(12, 1), std::vector<float>(12, 1), 1e-7};
    const auto answer = which_rope({&still, 1});
    QVERIFY(!answer);
    QCOMPARE(answer.error().message, std::string("no row turns by another angle than the row before it: positions and "
                                                 "frequencies cannot be told"));
    RotationTables any{.turns = {.rows = 64, .pairs = 16, .factor = {}, .variance = std::vector<double>(1024, 1e-14)},
                       .layout = PairLayout::half_split,
                       .rotary_dim = 32};
    SeededRandom random(2);
    for (int i = 0; i < 1024; ++i) any.turns.factor.push_back(std::polar(1.0, 6 * random.uniform()));
    const auto none = which_rope(any);
    QVERIFY(!none);
    QCOMPARE(none.error().message, std::string("rows are not whole steps of one angle a pair apart: positions and "
                                               "frequencies cannot be told"));
  }
};

VQSCOPE_TEST(WhichRopeTest)
#include "which_rope_test.moc"
