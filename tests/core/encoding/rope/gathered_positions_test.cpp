// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of RoPE whose rows are gathered by position_ids.
#include "core/encoding/methods.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Method rotary_method(const std::string& id) {
  const auto methods = encoding_methods();
  return *std::ranges::find(methods, id, &Method::id);
}

Result<std::shared_ptr<const Field>> gathered(const std::string& id, const std::vector<Index>& positions,
                                              const std::string& precision = "exact") {
  const Method method = rotary_method(id);
  const auto values = rope_values(method, {{"q_length", static_cast<Index>(positions.size())},
                                           {"head_dim", Index{8}},
                                           {"precision", precision},
                                           {"position_ids", positions}});
  return std::get<FieldRecipe>(method.recipe).make(values, {});
}

}  // namespace

class GatheredPositionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Two packed documents: the fourth token is at position 0 again.
  void packed_documents_by_hand() {
    const auto cos = *gathered("rope_cos", {0, 1, 2, 0, 1});
    for (const Index row : {0, 3}) QCOMPARE(cos->at(row, 0), 1.0);
    QVERIFY(std::abs(cos->at(1, 0) - std::cos(1.0)) < 1e-15);
    QCOMPARE(cos->at(4, 0), cos->at(1, 0));
    QVERIFY(std::abs((*gathered("rope_sin", {7, 3}))->at(0, 1) - std::sin(0.7)) < 1e-15);
  }

  /// cos_cache[position_ids], whatever the order of the positions.
  void rows_are_those_of_the_whole_table() {
    Random random(5);
    for (const std::string precision : {"exact", "hf_float32"})
      for (const auto* id : {"rope_cos", "rope_sin", "rope_phase"}) {
        std::vector<Index> all(300), ids(40);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
        for (Index& each : ids) each = pick(random, 0, 299);
        for (std::size_t i = 20; i < 30; ++i) ids[i] = ids[19] + static_cast<Index>(i) - 19;
        std::ranges::for_each(ids, [](Index& each) { each = std::min<Index>(each, 299); });
        const auto cache = *gathered(id, all, precision);
        const auto field = *gathered(id, ids, precision);
        QCOMPARE(field->extent().rows, Index{40});
        for (std::size_t i = 0; i < ids.size(); ++i)
          for (Index pair = 0; pair < 4; ++pair)
            QCOMPARE(field->at(static_cast<Index>(i), pair), cache->at(ids[i], pair));
      }
  }

  /// Runs of positions are summed in closed form.
  void means_are_those_of_the_cells() {
    Random random(6);
    for (int i = 0; i < 60; ++i) {
      std::vector<Index> ids(static_cast<std::size_t>(pick(random, 1, 80)));
      for (std::size_t k = 0; k < ids.size(); ++k)
        ids[k] = k > 0 && pick(random, 0, 2) > 0 ? ids[k - 1] + 1 : pick(random, 0, 4000);
      const auto field = *gathered("rope_cos", ids);
      const Index rows = field->extent().rows;
      Summary summary;
      QVERIFY(field->summarize({{0, rows}, {0, 1, 4}}, {.threads = 1}, summary));
      double sum = 0;
      for (Index row = 0; row < rows; ++row) sum += field->at(row, 0);
      QVERIFY(std::abs(static_cast<double>(summary.mean[0]) - sum / static_cast<double>(rows)) < 1e-6);
    }
  }

  void each_query_needs_a_position() {
    const Method method = rotary_method("rope_cos");
    const auto values = rope_values(method, {{"q_length", Index{4}}, {"position_ids", std::vector<Index>{0, 1, 2}}});
    COMPARE_ERROR(method.check(values), "position_ids has 3 items but must have q_length = 4, one per token, or none");
  }
};

VQSCOPE_TEST(GatheredPositionsTest)
#include "gathered_positions_test.moc"
