// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/block_mask_call.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class BlockMaskCallTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void calls_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("batch");
    QTest::addColumn<bool>("heads");
    const auto add = [](const char* text, bool batch, bool heads) { QTest::newRow(text) << text << batch << heads; };
    add("block_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=8, KV_LEN=8)", true, true);
    add("block_mask = create_block_mask(mask_mod, None, None, 8, 8)", true, true);
    add("m = create_block_mask(mask_mod, 1, 1, 8, 8)", true, true);
    add("m = create_block_mask(mask_mod, B=4, H=1, Q_LEN=8, KV_LEN=8)", false, true);
    add("m = create_block_mask(mask_mod, BATCH, None, 8, 8)", false, true);
    add("m = create_block_mask(mask_mod, H = None, B = 2)", false, true);
    add("m = create_block_mask(f(1, 2), None, 1, 8)", true, true);
    add("m = create_block_mask(f([1, 2], {3: (4, 5)}), None, HEADS, 8)", true, false);
    add("m = create_block_mask(mask_mod)", false, false);
    add("m = create_block_mask()", false, false);
    add("m = create_block_mask(mask_mod, None", false, false);
    add("# create_block_mask(f, B=None, H=None)", false, false);
    add("x = 1  # create_block_mask(f, None, None)\nm = create_block_mask(f, 2, None)", false, true);
    add("m = create_block_mask(\n    mask_mod,\n    B=None,\n    H=1,\n)", true, true);
    add("a = create_block_mask(f, None, 2)\nb = create_block_mask(g, 2, None)", true, false);
    add("def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx", false, false);
    add("", false, false);
  }

  void calls() {
    QFETCH(QString, text);
    QFETCH(bool, batch);
    QFETCH(bool, heads);
    const auto call = block_mask_call(text.toStdString());
    QCOMPARE(call.one_for_batch, batch);
    QCOMPARE(call.one_for_heads, heads);
  }

  /// Whatever is cut off: an answer, never a look beyond the end.
  void every_beginning_of_a_call_is_read() {
    const std::string whole = "m = create_block_mask(f((1, [2]), 3), B=None, H=1, Q_LEN=8)  # None";
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto call = block_mask_call(std::string_view(whole).substr(0, size));
      const bool closed = size > whole.find(')', whole.find("Q_LEN"));
      QCOMPARE(call.one_for_batch, closed);
      QCOMPARE(call.one_for_heads, closed);
    }
  }
};

VQSCOPE_TEST(BlockMaskCallTest)
#include "block_mask_call_test.moc"
