// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"
#include "core/encoding/rope/mrope_layout.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

class MropeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// head_dim 12, theta 1000: rates 1, 1000^(-1/6) = 10^(-1/2), 1/10, …. An image of 2 × 3 tokens
  /// (4 × 6 patches) after one text token: token 5 is in row 1, column 1, so time 1, height 2,
  /// width 2.
  void by_hand() {
    const ParameterValues::Map set{{"text_lengths", std::vector<Index>{1, 1}},
                                   {"image_grid_thw", std::vector<Index>{1, 4, 6}},
                                   {"mrope_section", std::vector<Index>{2, 2, 2}},
                                   {"head_dim", Index{12}},
                                   {"rope_theta", 1000.0}};
    const auto phase = table("mrope_phase", set);
    QCOMPARE(phase->extent(), (Extent{8, 6}));
    const double root = std::sqrt(0.1);
    const double rates[]{1, root, 0.1, 0.1 * root, 0.01, 0.01 * root};
    const Index chunked[]{1, 1, 2, 2, 2, 2};  // T T H H W W of token 5
    for (Index pair = 0; pair < 6; ++pair)
      QVERIFY(is_near(phase->at(5, pair), static_cast<double>(chunked[pair]) * rates[pair], 1e-14));
    // Token 7 is text: the image's largest position is 1 + 2 = 3, so the text continues at 4.
    QVERIFY(is_near(phase->at(7, 0), 4, 1e-14));
    QVERIFY(is_near(phase->at(7, 5), 0.04 * root, 1e-14));
    auto turns = set;
    turns.insert_or_assign("mrope_interleaved", true);
    const auto mixed = table("mrope_phase", turns);
    const Index interleaved[]{1, 2, 2, 1, 2, 2};  // T H W T H W
    for (Index pair = 0; pair < 6; ++pair)
      QVERIFY(is_near(mixed->at(5, pair), static_cast<double>(interleaved[pair]) * rates[pair], 1e-14));
  }

  void positions_by_hand() {
    const auto field = table("mrope_positions", {{"text_lengths", std::vector<Index>{2, 1}},
                                                 {"image_grid_thw", std::vector<Index>{1, 4, 6}}});
    QCOMPARE(field->extent(), (Extent{9, 3}));
    QVERIFY(field->cell_type() == CellType::int32);
    const Index last[]{2, 3, 4};  // of the image
    for (Index axis = 0; axis < 3; ++axis) {
      QCOMPARE(field->at(1, axis), 1.0);
      QCOMPARE(field->at(7, axis), static_cast<double>(last[axis]));
      QCOMPARE(field->at(8, axis), 5.0);
    }
    QCOMPARE(field->value_range(), (std::pair{0.0, 5.0}));
  }

  /// Text alone has the phases of plain RoPE, under every scaling.
  void text_alone_is_plain_rope() {
    for (const char* type : {"default", "linear", "ntk", "yarn", "llama3"}) {
      const auto three = table("mrope_phase", {{"text_lengths", std::vector<Index>{300}},
                                               {"image_grid_thw", std::vector<Index>{}},
                                               {"rope_type", std::string(type)}});
      const auto one = table("rope_phase", {{"q_length", Index{300}}, {"rope_type", std::string(type)}});
      for (Index token = 0; token < 300; token += 7)
        for (Index pair = 0; pair < 64; pair += 5) QCOMPARE(three->at(token, pair), one->at(token, pair));
    }
  }

  void reads_and_summaries_equal_cells() {
    Random random(4);
    for (int i = 0; i < 10; ++i) {
      const auto field = table("mrope_phase", {{"text_lengths", std::vector<Index>{pick(random, 0, 30), 9}},
                                               {"image_grid_thw", std::vector<Index>{2, 2 * pick(random, 1, 6), 8}},
                                               {"mrope_interleaved", i % 2 == 0}});
      const TileGrid grid = random_tile_grid(random, field->extent());
      const auto wrong = angular_summary_differs(*field, grid) + read_differs(*field, grid.bounds());
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void reports_and_remark() {
    const auto phase = table("mrope_phase", {});
    COMPARE_TEXT(phase->report(9, 16).why,
                 "image token 9: time 8, height 8, width 9; pair 16 turns with height: 8 · 0.1 = 0.8 rad");
    COMPARE_TEXT(phase->report(3, 0).why,
                 "text token 3: position 3 on every axis; pair 0 turns with time: 3 · 1 = 3 rad");
    const Method method = mrope_positions_method();
    const ParameterValues values = default_values(method.parameters);
    COMPARE_TEXT(method.remark(values, {}),
                 "rope_deltas is -84: the next text token, number 128, has position 44 on every axis");
  }

  void errors() {
    COMPARE_ERROR(table_result("mrope_phase", {{"image_grid_thw", std::vector<Index>{1, 4}}}),
                  "image_grid_thw has 2 items but must have three for each image: frames, rows, columns");
    COMPARE_ERROR(table_result("mrope_positions", {{"image_grid_thw", std::vector<Index>{1, 5, 4}}}),
                  "image_grid_thw has 5 patches on a side but must be divisible by spatial_merge_size 2");
    COMPARE_ERROR(table_result("mrope_phase", {{"head_dim", Index{64}}}),
                  "mrope_section adds up to 64 but must be 32, half the rotated dimensions");
  }
};

VQSCOPE_TEST(MropeTest)
#include "mrope_test.moc"
