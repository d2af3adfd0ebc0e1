// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/layer_schedule.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class LayerScheduleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void windows_have_keys() {
    LayerSchedule schedule{.layers = {{}, {.attention = LayerAttention::sliding}}};
    COMPARE_ERROR(schedule.check(), "layer 1 is sliding with a window of 0 but must be 1 or more");
    schedule.layers[1].window = 512;
    QVERIFY(schedule.check());
  }

  void layers_refer_to_existing_ropes_and_layers() {
    LayerSchedule schedule{.ropes = {{}}, .layers = {{.rope = 0}, {.rope = 1}}};
    COMPARE_ERROR(schedule.check(), "layer 1 has RoPE number 1, of which there are 1");
    schedule.layers[1] = {.shares_kv_with = 1};
    COMPARE_ERROR(schedule.check(), "layer 1 shares the keys and values of layer 1 but must be an earlier one");
    schedule.layers[1].shares_kv_with = 0;
    QVERIFY(schedule.check());
  }
};

VQSCOPE_TEST(LayerScheduleTest)
#include "layer_schedule_test.moc"
