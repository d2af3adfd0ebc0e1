// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/field/difference_field.h"
#include "core/mask/map/read_visible.h"
#include "core/method/profile/profile.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index length = Index{1} << 31;

/// The method at the longest lengths, 2^31 queries after as many cached keys: up to 2^63 cells.
std::shared_ptr<const Field> largest(const char* id, const ParameterValues::Map& set = {}) {
  const Method& method = *find_method(id);
  auto values = default_values(method.parameters);
  values.set("q_length", length);
  values.set("past_len", length);
  for (const auto& [name, value] : set) values.set(name, value);
  return make_field(method, values).value();
}

std::shared_ptr<const Field> bucket_difference() {
  return make_difference(largest("t5_bucket"), largest("t5_bucket", {{"max_distance", Index{4096}}})).value();
}

TileGrid tile_grid_of(const Field& field, Index tiles) {
  return {even_edges({0, field.extent().rows}, tiles), even_edges({0, field.extent().cols}, tiles)};
}

bool finite(const Summary& summary) {
  const auto all = [](const std::vector<float>& plane) {
    return std::ranges::all_of(plane, [](float value) { return std::isfinite(value); });
  };
  return all(summary.mean) && all(summary.min) && all(summary.max);
}

}  // namespace

class LargestTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void areas() {
    QCOMPARE((Rect{{0, length}, {0, 2 * length}}.area()), std::uint64_t{1} << 63);
    QCOMPARE(largest("t5_bucket")->extent(), (Extent{length, 2 * length}));
  }

  /// Three quarters of the keys are behind or at the query, in bucket 15, the others ahead of it,
  /// in bucket 31.
  void buckets() {
    const auto field = largest("t5_bucket");
    Summary summary;
    for (const Index tiles : {1, 4, 61}) {
      QVERIFY(field->summarize(tile_grid_of(*field, tiles), {.exact_only = true}, summary));
      QVERIFY(summary.exact && finite(summary));
      double sum = 0;
      for (const float mean : summary.mean) sum += static_cast<double>(mean);
      QVERIFY(std::abs(sum / static_cast<double>(tiles * tiles) - 19) < 1e-5);
    }
    QCOMPARE(summary.mean.front(), 15.0F);
    QCOMPARE(summary.mean[60], 31.0F);
  }

  void visibility() {
    const auto field = largest("visibility");
    Summary summary;
    for (const Index tiles : {1, 4, 61}) {
      QVERIFY(field->summarize(tile_grid_of(*field, tiles), {.reasons = true, .exact_only = true}, summary));
      QVERIFY(summary.exact && finite(summary));
      double sum = 0;
      for (const float mean : summary.mean) sum += static_cast<double>(mean);
      QVERIFY(std::abs(sum / static_cast<double>(tiles * tiles) - 0.75) < 1e-5);
    }
    const auto keys = visible_keys(*field, {0, length}, 1);
    QVERIFY(keys);
    QCOMPARE(keys->curves[0].y[0], 0x1p31 + 0x1p30 + 0.5);
  }

  void phases() {
    const auto field = largest("rope_phase");
    Summary summary;
    QVERIFY(field->summarize(tile_grid_of(*field, 61), {.exact_only = true}, summary));
    QVERIFY(summary.exact && finite(summary));
  }

  void differences() {
    const auto field = bucket_difference();
    Summary summary;
    for (const Index tiles : {1, 61}) {
      QVERIFY(field->summarize(tile_grid_of(*field, tiles), {}, summary));
      QVERIFY(finite(summary));
      for (const float mean : summary.mean) QVERIFY(std::abs(mean) < 1e-2F);
    }
    const auto refused = field->summarize(tile_grid_of(*field, 1), {.exact_only = true}, summary);
    QVERIFY(!refused && refused.error().code == Errc::too_large);
    const auto row = row_profile(*field, length - 1, {0, 2 * length}, 500);
    QVERIFY(row && row->curves[0].y.size() == 500);
  }

 private:
  void beforeEach() override { m_timer.start(); }
  void afterEach() override { QVERIFY2(m_timer.elapsed() < 20000, "seconds for a picture of a few tiles"); }

  QElapsedTimer m_timer;
};

VQSCOPE_TEST(LargestTest)
#include "largest_test.moc"
