// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class VisibilityMethodTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void recipe() {
    const Method& method = *find_method(mask_methods(), "visibility");
    COMPARE_TEXT(method.category, "masks");
    QVERIFY(method.field() && !method.curves());
    COMPARE_TEXT(method.field()->row_title, "query position q");
    COMPARE_TEXT(method.field()->col_title, "key position k");
    COMPARE_TEXT(method.field()->value_title, "visible");
    QVERIFY(method.field()->scale == ValueScale::visibility);
    QVERIFY(method.field()->related.empty());
  }

  void choices_are_the_presets() {
    const auto method = visibility_method();
    const auto* mask = find_spec(method.parameters, "mask");
    QCOMPARE(mask->choices.size(), mask_presets().size() + given_masks().size());
    for (std::size_t i = 0; i < mask_presets().size(); ++i) {
      COMPARE_TEXT(mask->choices[i].id, mask_presets()[i].id);
      COMPARE_TEXT(mask->choices[i].help, mask_presets()[i].help);
    }
  }

  void automatic_values_are_the_minimum_and_the_default() {
    const auto method = visibility_method();
    for (const char* name : {"padding", "prefix_length"}) {
      const auto* spec = find_spec(method.parameters, name);
      QCOMPARE(spec->minimum, -1.0);
      QVERIFY(spec->default_value == ParameterValue(Index{-1}));
      QVERIFY(!spec->automatic.empty() && !spec->logarithmic);
    }
    for (const char* name : {"kv_length", "sliding_window"})
      QVERIFY(find_spec(method.parameters, name)->default_value == ParameterValue(Index{0}));
  }

  void the_form_starts_with_the_mask() {
    COMPARE_TEXT(visibility_method().parameters.front().name, "mask");
    QVERIFY(check_method_values(visibility_method(), default_values(visibility_method().parameters)));
  }
};

VQSCOPE_TEST(VisibilityMethodTest)
#include "visibility_method_test.moc"
