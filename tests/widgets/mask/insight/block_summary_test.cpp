// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/insight/block_summary.h"

#include "core/catalogue/registry.h"
#include "core/mask/preset/presets.h"
#include "tests/support/test_main.h"

#include <QLabel>
#include <QTest>

using namespace vqscope;

namespace {

std::shared_ptr<const BlockView> blocksOf(Index length, Index size) {
  auto values = default_values(find_method("visibility")->parameters);
  values.set("q_length", length);
  return std::make_shared<const BlockView>(*make_preset_mask(values), BlockSize{size, size});
}

QStringList texts(const BlockSummary& summary) {
  QStringList all;
  for (const auto* label : summary.findChildren<QLabel*>())
    if (label->isVisibleTo(&summary)) all << label->text();
  return all;
}

}  // namespace

class BlockSummaryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void countsOfTheLastBlocks() {
    BlockSummary summary;
    QVERIFY(summary.isHidden());
    for (Index length = 100; length < 110; ++length) summary.setBlocks(blocksOf(length, 16));
    const auto last = blocksOf(8, 2);
    summary.setBlocks(last);
    QVERIFY(!summary.isHidden());
    const auto greyed = [&] {
      int count = 0;
      for (const auto* label : summary.findChildren<QLabel*>()) count += label->isEnabled() ? 0 : 1;
      return count;
    };
    QCOMPARE(greyed(), 4);
    QTRY_VERIFY_WITH_TIMEOUT(!summary.isBusy(), 120000);
    QCOMPARE(greyed(), 0);
    QCOMPARE(texts(summary),
             (QStringList{"All blocks", "full", "6", "partial", "4", "empty", "6", "sparsity", "37.5 %"}));
    summary.setBlocks(std::make_shared<const BlockView>(*last));
    QVERIFY(!summary.isBusy());  // the same are not counted again
    summary.setBlocks(nullptr);
    QVERIFY(summary.isHidden());
  }
};

VQSCOPE_TEST(BlockSummaryTest)
#include "block_summary_test.moc"
