// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/block_field.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues block_values(const ParameterValues::Map& set) { return default_values(block_method().parameters, set); }

Result<std::shared_ptr<const Field>> blocks_of(const ParameterValues::Map& set) {
  return block_method().field()->make(block_values(set), Work{});
}

}  // namespace

class BlockMethodTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void recipe() {
    const Method& method = *find_method(mask_methods(), "mask_blocks");
    COMPARE_TEXT(method.category, "masks");
    COMPARE_TEXT(method.title, "Blocks");
    COMPARE_TEXT(method.field()->row_title, "query block");
    COMPARE_TEXT(method.field()->col_title, "key block");
    QVERIFY(method.field()->scale == ValueScale::categorical);
    const Categories kinds = method.field()->categories(block_values({}));
    QCOMPARE(kinds.count, Index{3});
    std::string names;
    for (const auto& group : kinds.groups) names += group.label + " ";
    COMPARE_TEXT(names, "empty partial full ");
  }

  /// Those of `visibility` and the size of a block.
  void parameters() {
    const auto blocks = block_method().parameters;
    const auto visibility = visibility_method().parameters;
    QCOMPARE(blocks.size(), visibility.size() + 1);
    for (std::size_t i = 0; i < visibility.size(); ++i) COMPARE_TEXT(blocks[i].name, visibility[i].name);
    const ParameterSpec& size = blocks.back();
    COMPARE_TEXT(size.name, "block_size");
    QVERIFY(size.default_value == ParameterValue(Index{128}));
    QCOMPARE(size.minimum, 1.0);
    QCOMPARE(size.maximum, 65536.0);
  }

  void blocks_of_the_mask_that_visibility_makes() {
    for (const char* preset : {"causal", "sliding_window", "prefix_lm", "packed"})
      for (const Index size : {1, 7, 16}) {
        const ParameterValues::Map set{
            {"mask", std::string(preset)}, {"q_length", Index{60}}, {"block_size", size}, {"sliding_window", Index{9}}};
        const auto blocks = blocks_of(set);
        QVERIFY2(blocks, preset);
        const auto cells = visibility_method().field()->make(block_values(set), Work{});
        QVERIFY2(cells, preset);
        QCOMPARE((*blocks)->extent(), (Extent{(60 + size - 1) / size, (60 + size - 1) / size}));
        for (Index row = 0; row < (*blocks)->extent().rows; ++row)
          for (Index col = 0; col < (*blocks)->extent().cols; ++col) {
            Index seen = 0, all = 0;
            for (Index q = row * size; q < std::min<Index>(60, (row + 1) * size); ++q)
              for (Index kv = col * size; kv < std::min<Index>(60, (col + 1) * size); ++kv, ++all)
                seen += (*cells)->at(q, kv) != 0 ? 1 : 0;
            const double wanted = seen == 0 ? 0 : seen == all ? 2 : 1;
            QVERIFY2((*blocks)->at(row, col) == wanted, (preset + cell_name(row, col)).c_str());
          }
      }
  }

  void errors_come_from_the_mask() {
    const ParameterValues::Map set{{"mask", std::string("custom")}, {"mask_text", std::string("q_idx -")}};
    const auto blocks = blocks_of(set);
    const auto cells = visibility_method().field()->make(block_values(set), Work{});
    QVERIFY(!blocks && !cells);
    COMPARE_TEXT(blocks.error().message, cells.error().message);
    std::stop_source stop;
    stop.request_stop();
    Work work;
    work.stop = stop.get_token();
    const auto stopped = block_method().field()->make(block_values({}), work);
    QVERIFY(stopped || stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(BlockMethodTest)
#include "block_method_test.moc"
