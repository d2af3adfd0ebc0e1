// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/layout_regions.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>
#include <functional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The first cell that differs from its definition.
std::string differs(const CellSet& region, Extent extent, const std::function<bool(Index q, Index kv)>& holds) {
  for (Index q = 0; q < extent.rows; ++q)
    for (Index kv = 0; kv < extent.cols; ++kv)
      if (region.contains(q, kv) != holds(q, kv)) return cell_name(q, kv);
  return {};
}

}  // namespace

class LayoutRegionsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void regions_agree_with_the_layout() {
    Random random(2);
    for (int round = 0; round < 1500; ++round) {
      const auto layout = *SequenceLayout::make(random_input(random));
      const Extent extent{layout.q_length(), layout.kv_length()};
      const auto own = [&](Index q, Index kv) {
        return layout.q_valid(q) && layout.key_valid(kv) && layout.q_document(q) == layout.kv_document(kv);
      };
      const Index first = pick(random, -6, 6);
      COMPARE_TEXT(differs(padding_keys(layout), extent,
                           [&](Index q, Index kv) { return layout.q_valid(q) && !layout.key_valid(kv); }),
                   "");
      COMPARE_TEXT(differs(other_documents(layout), extent,
                           [&](Index q, Index kv) { return layout.q_valid(q) && layout.key_valid(kv) && !own(q, kv); }),
                   "");
      COMPARE_TEXT(differs(own_keys(layout), extent,
                           [&](Index q, Index kv) { return own(q, kv) && layout.q_pos(q) == layout.kv_pos(kv); }),
                   "");
      COMPARE_TEXT(differs(real_queries(layout), extent, [&](Index q, Index) { return layout.q_valid(q); }), "");
      COMPARE_TEXT(differs(columns_beyond(extent, first), extent, [&](Index q, Index kv) { return kv - q > first; }),
                   "");
    }
  }
};

VQSCOPE_TEST(LayoutRegionsTest)
#include "layout_regions_test.moc"
