// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"

#include "core/catalogue/parts.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/quick_settings.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

class RegistryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ids_are_unique_and_found() {
    std::set<std::string> ids;
    for (const Method& method : methods()) {
      QVERIFY2(ids.insert(method.id).second, method.id.c_str());
      QCOMPARE(find_method(method.id), &method);
    }
    QVERIFY(!find_method("nothing"));
  }

  void every_method_explains_itself() {
    for (const Method& method : methods()) {
      const char* id = method.id.c_str();
      QVERIFY2(!method.title.empty() && !method.category.empty() && !method.help.empty(), id);
      QVERIFY2(!method.citation.paper.empty() && !method.citation.reference.empty(), id);
      std::set<std::string> names;
      for (const auto& spec : method.parameters) {
        QVERIFY2(names.insert(spec.name).second, (method.id + " " + spec.name).c_str());
        QVERIFY2(!spec.help.empty() && !spec.group.empty(), (method.id + " " + spec.name).c_str());
        for (const auto& relevance : spec.relevant)
          QVERIFY2(find_spec(method.parameters, relevance.name), (method.id + " " + spec.name).c_str());
      }
      if (const auto* field = method.field())
        for (const auto& related : field->related)
          QVERIFY2(find_method(related) && find_method(related)->curves(), related.c_str());
    }
  }

  void every_method_works_with_its_defaults() {
    for (const Method& method : methods()) {
      auto values = default_values(method.parameters);
      test::make_quick(method, values);
      QVERIFY2(check_method_values(method, values), method.id.c_str());
      if (method.field()) QVERIFY2(make_field(method, values), method.id.c_str());
      if (method.curves()) QVERIFY2(make_curves(method, values), method.id.c_str());
    }
  }

  /// A file may hold any value under a name that another knows: nothing is taken for what it is
  /// not.
  void values_of_another_type_are_refused() {
    const ParameterValue strange[] = {Index{3},
                                      0.5,
                                      true,
                                      std::string("x"),
                                      std::vector<std::string>{"x"},
                                      std::vector<Index>{1, 2},
                                      std::vector<double>{1, 2}};
    int number = 0;
    for (const Method& method : methods())
      for (const auto& spec : method.parameters)
        for (const auto& value : strange) {
          if (!test::isTried(number++)) continue;
          auto values = default_values(method.parameters);
          values.set(spec.name, value);
          QVERIFY(!parameters_of(method, values).empty());
          if (value.index() == spec.default_value.index()) continue;
          const auto checked = check_method_values(method, values);
          QVERIFY2(!checked && checked.error().message.size() <= 400, (method.id + " " + spec.name).c_str());
        }
  }

  void an_unknown_id_names_the_nearest() {
    QCOMPARE(*require_method("t5_bucket"), find_method("t5_bucket"));
    COMPARE_ERROR(require_method("t5_bukcet"),
                  "unknown method t5_bukcet; did you mean t5_bucket? (vqscope list shows all" +
                      std::string(left_out_remark()) + ")");
    QVERIFY(require_method("zzzzzzzzzz").error().code == Errc::not_found);
  }

  void make_field_checks_values_first() {
    const Method& method = *find_method("t5_bucket");
    auto values = default_values(method.parameters);
    values.set("num_buckets", Index{31});
    COMPARE_ERROR(make_field(method, values), "num_buckets is 31 but must be even when bidirectional");
    values.set("num_buckets", Index{1});
    COMPARE_ERROR(make_field(method, values), "num_buckets is 1 but must be an integer from 2 to 4096");
  }

  void valid_values_are_carried_by_name() {
    const Method& buckets = *find_method("t5_bucket");
    const Method& masks = *find_method("visibility");
    auto from = default_values(buckets.parameters);
    from.set("q_length", Index{77});
    const auto carried = carried_values(masks, from);
    QCOMPARE(carried.integer("q_length"), Index{77});
    COMPARE_TEXT(carried.choice("mask"), "causal");
    QVERIFY(check_values(masks.parameters, carried));

    from.set("q_length", Index{-5});
    QCOMPARE(carried_values(masks, from).integer("q_length"), Index{512});
  }
};

VQSCOPE_TEST(RegistryTest)
#include "registry_test.moc"
