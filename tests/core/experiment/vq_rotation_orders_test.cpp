// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class VqRotationOrdersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Each order has the errors that VQ error by length has with it.
  void orders_are_those_of_the_other_pages() {
    const ParameterValues::Map sizes = small_values({{"length_max", Index{200}}, {"n_code", Index{8}}});
    const auto set = *curves_of("vq_rotation_orders", sizes);
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{64, 128, 200}));
    for (const char* order : {"none", "rotate_first", "quantise_first"}) {
      ParameterValues::Map with = sizes;
      with["rope_type"] = std::string(std::string(order) == "none" ? "none" : "default");
      if (std::string(order) != "none") with["rotation_order"] = std::string(order);
      const auto alone = *curves_of("vq_error_vs_length", with);
      QCOMPARE(curve_of(set, order).y, curve_of(alone, "output_error").y);
    }
    QVERIFY(curve_of(set, "rotate_first").y != curve_of(set, "quantise_first").y);
  }

  /// Within block_len nothing is clipped; beyond it the clip has an error of its own.
  void the_clip_begins_at_block_len() {
    const auto set =
        *curves_of("vq_rotation_orders",
                   small_values({{"length_max", Index{256}}, {"n_code", Index{8}}, {"block_len", Index{64}}}));
    const auto& clip = curve_of(set, "clip_alone").y;
    QCOMPARE(clip[0], 0.0);
    QVERIFY(clip[1] > 0.001 && clip[2] > clip[1]);
    const auto &clipped = curve_of(set, "quantise_first_clipped").y, &after = curve_of(set, "quantise_first").y;
    QVERIFY(near(clipped[0], after[0], 1e-6) && std::abs(clipped[2] - after[2]) > 1e-3);
    QCOMPARE(set.marks.size(), std::size_t{1});
    QCOMPARE(set.marks[0].x, 64.0);
  }

  void some_orders() {
    const ParameterValues::Map small = small_values({{"length_max", Index{64}}});
    ParameterValues::Map with = small;
    with["orders"] = std::vector<std::string>{"rotate_first"};
    with["measure"] = std::string("total_variation");
    const auto set = *curves_of("vq_rotation_orders", with);
    QCOMPARE(set.curves.size(), std::size_t{1});
    QVERIFY(set.curves[0].y[0] > 0 && set.curves[0].y[0] < 1);
    with["orders"] = std::vector<std::string>{};
    COMPARE_ERROR(curves_of("vq_rotation_orders", with), "orders is empty but must name one at least");
    QVERIFY(stops("vq_rotation_orders", small));
  }
};

VQSCOPE_TEST(VqRotationOrdersTest)
#include "vq_rotation_orders_test.moc"
