// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/read_visible.h"

#include "core/field/step_field.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

std::shared_ptr<const Field> field_of(const char* id) {
  const Method& method = *find_method(mask_methods(), id);
  auto values = default_values(method.parameters);
  values.set("q_length", Index{8});
  return *make_field(method, values);
}

}  // namespace

class FieldMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Blocks of 128 x 128 are one cell of 8 x 8 tokens; the mask is that of the tokens.
  void visibility_and_blocks_show_the_same_mask() {
    for (const char* id : {"visibility", "mask_blocks"}) {
      const auto mask = mask_of(field_of(id));
      QVERIFY2(mask, id);
      QVERIFY2((mask->extent() == Extent{8, 8}), id);
      for (Index q = 0; q < 8; ++q)
        for (Index kv = 0; kv < 8; ++kv) QCOMPARE(mask->visible(q, kv), kv <= q);
    }
  }

  void the_mask_keeps_its_field() {
    auto field = field_of("visibility");
    const std::weak_ptr<const Field> watched = field;
    auto mask = mask_of(field);
    field.reset();
    QVERIFY(!watched.expired());
    mask.reset();
    QVERIFY(watched.expired());
  }

  void other_fields_have_no_mask() {
    QVERIFY(!mask_of(std::make_shared<StepField>(Extent{8, 8}, 0, StepFunction{{0, 1}, {1, 2}})));
    QVERIFY(!mask_of(std::shared_ptr<const Field>()));
  }
};

VQSCOPE_TEST(FieldMaskTest)
#include "field_mask_test.moc"
