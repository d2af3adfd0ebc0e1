// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method.h"

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/free_name.h"
#include "core/method/run_result.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <new>
#include <stdexcept>

using namespace vqscope;

namespace {

using Specs = std::vector<ParameterSpec>;

ParameterSpec whole(std::string name, Index default_value = 1, double maximum = 100) {
  return {.name = std::move(name), .default_value = default_value, .minimum = 0, .maximum = maximum};
}

ParameterSpec chosen(std::string name, std::vector<std::string> ids) {
  ParameterSpec spec{.name = std::move(name), .kind = ParameterKind::choice, .default_value = ids.front()};
  for (auto& id : ids) spec.choices.push_back({std::move(id), ""});
  return spec;
}

ParameterValues values_of(const ParameterValues::Map& map) {
  ParameterValues values;
  for (const auto& [name, value] : map) values.set(name, value);
  return values;
}

/// "a=1 b=x"
std::string shown(const ParameterValues& values) {
  std::string text;
  for (const auto& [name, value] : values.map()) text += (text.empty() ? "" : " ") + name + "=" + format_value(value);
  return text;
}

/// A method with a number n and, beyond 10 of it, a free parameter m.
Method growing() {
  Method method{.id = "growing", .parameters = {whole("n")}, .recipe = CurveRecipe{}};
  method.free_parameters = [](const ParameterValues& values) {
    return values.integer("n") > 10 ? Specs{whole("m", 7)} : Specs{};
  };
  return method;
}

}  // namespace

class MethodTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void origins_have_names() {
    COMPARE_TEXT(name_of(CurveOrigin::geometry), "geometry");
    COMPARE_TEXT(name_of(CurveOrigin::measured), "measured");
    COMPARE_TEXT(name_of(CurveOrigin::published), "published");
  }

  void free_parameters_follow_the_values() {
    QCOMPARE(parameters_of(growing(), values_of({{"n", Index{3}}})).size(), std::size_t{1});
    const auto specs = parameters_of(growing(), values_of({{"n", Index{11}}}));
    QCOMPARE(specs.size(), std::size_t{2});
    COMPARE_TEXT(specs[1].name, "m");
  }

  /// An encoding's own parameter stands where the method has one of that name.
  void a_free_parameter_of_a_known_name_replaces_it() {
    Method method = growing();
    method.free_parameters = [](const ParameterValues&) { return Specs{whole("n", 50, 60)}; };
    const auto specs = parameters_of(method, {});
    QCOMPARE(specs.size(), std::size_t{1});
    QVERIFY(specs[0].default_value == ParameterValue(Index{50}));
    COMPARE_ERROR(check_method_values(method, values_of({{"n", Index{61}}})),
                  "n is 61 but must be an integer from 0 to 60");
  }

  /// Values that determine free parameters have not been checked: a text where a number should be
  /// must not reach them.
  void free_parameters_ignore_values_of_another_type() {
    Method method = growing();
    method.free_parameters = [](const ParameterValues& values) {
      return values.find("n") ? Specs{whole("m")} : Specs{};
    };
    QCOMPARE(parameters_of(method, values_of({{"n", std::string("three")}})).size(), std::size_t{1});
    COMPARE_ERROR(check_method_values(method, values_of({{"n", std::string("three")}})),
                  "n is three but must be an integer from 0 to 100");
  }

  void values_are_completed_and_no_name_is_too_many() {
    const Specs specs{whole("a", 1), whole("b", 2)};
    COMPARE_TEXT(shown(completed_values(specs, values_of({{"b", Index{9}}, {"c", Index{5}}}))), "a=1 b=9");
  }

  /// `window = 512` in a text that had `window = 128`: who left it alone means the text's.
  void a_new_default_takes_the_place_of_an_untouched_one() {
    const Specs former{whole("window", 128, 1000)}, now{whole("window", 512, 1000)};
    COMPARE_TEXT(shown(completed_values(now, values_of({{"window", Index{128}}}), former)), "window=512");
    COMPARE_TEXT(shown(completed_values(now, values_of({{"window", Index{64}}}), former)), "window=64");
    COMPARE_TEXT(shown(completed_values(former, values_of({{"window", Index{128}}}), former)), "window=128");
  }

  void values_are_clamped_to_the_new_range_data() {
    QTest::addColumn<int>("former");
    QTest::addColumn<int>("given");
    QTest::addColumn<QString>("now");
    QTest::newRow("above") << 100 << 80 << "n=50";
    QTest::newRow("within") << 100 << 40 << "n=40";
    QTest::newRow("never allowed: a mistake to tell") << 70 << 80 << "n=80";
  }
  void values_are_clamped_to_the_new_range() {
    QFETCH(int, former);
    QFETCH(int, given);
    QFETCH(QString, now);
    const Specs before{whole("n", 1, former)}, after{whole("n", 1, 50)};
    COMPARE_TEXT(shown(completed_values(after, values_of({{"n", Index{given}}}), before)), now.toStdString());
  }

  void the_nearest_value_of_each_kind() {
    const auto moved = [](ParameterSpec before, ParameterSpec after, ParameterValue value) {
      before.name = after.name = "x";
      return shown(completed_values(Specs{after}, values_of({{"x", std::move(value)}}), Specs{before}));
    };
    const auto real = [](double maximum) {
      return ParameterSpec{.kind = ParameterKind::real, .default_value = 0.5, .maximum = maximum};
    };
    COMPARE_TEXT(moved(real(9), real(2), 8.5), "x=2");
    // A choice has no neighbours.
    COMPARE_TEXT(moved(chosen("", {"a", "b"}), chosen("", {"c", "d"}), std::string("b")), "x=c");
    const auto set = [](std::vector<Choice> choices) {
      return ParameterSpec{.kind = ParameterKind::choice_set,
                           .default_value = std::vector<std::string>{},
                           .choices = std::move(choices)};
    };
    COMPARE_TEXT(moved(set({{"a", ""}, {"b", ""}}), set({{"b", ""}}), std::vector<std::string>{"a", "b"}), "x=b");
    const auto list = [](double maximum, Index most) {
      return ParameterSpec{.kind = ParameterKind::integer_list,
                           .default_value = std::vector<Index>{},
                           .minimum = 1,
                           .maximum = maximum,
                           .most_items = most};
    };
    COMPARE_TEXT(moved(list(9, 3), list(5, 3), std::vector<Index>{1, 8, 9}), "x=1,5,5");
    COMPARE_TEXT(moved(list(9, 3), list(9, 2), std::vector<Index>{1, 8, 9}), "x=");
    // A value of another type becomes the default.
    COMPARE_TEXT(moved(whole(""), real(2), Index{3}), "x=0.5");
  }

  void carried_values_are_those_that_both_methods_allow() {
    const Method method{.id = "m", .parameters = {whole("a", 1, 10), whole("b", 2), chosen("c", {"x", "y"})}};
    COMPARE_TEXT(
        shown(carried_values(
            method, values_of({{"a", Index{11}}, {"b", Index{7}}, {"c", std::string("y")}, {"other", Index{1}}}))),
        "a=1 b=7 c=y");
  }

  /// m appears because n is 11.
  void carried_values_bring_free_ones_along() {
    COMPARE_TEXT(shown(carried_values(growing(), values_of({{"n", Index{11}}, {"m", Index{3}}}))), "m=3 n=11");
    COMPARE_TEXT(shown(carried_values(growing(), values_of({{"n", Index{5}}, {"m", Index{3}}}))), "n=5");
  }

  /// A text whose free names follow from each other for ever ends after some rounds.
  void free_values_that_never_settle() {
    Method method = growing();
    method.free_parameters = [](const ParameterValues& values) {
      Specs specs;
      for (std::size_t i = 0; i < values.map().size(); ++i) specs.push_back(whole("m" + std::to_string(i)));
      return specs;
    };
    const ParameterValues values = carried_values(method, {});
    QCOMPARE(values.map().size(), std::size_t{9});
  }

  void the_methods_own_check_comes_after_the_ranges() {
    Method method{.id = "m", .parameters = {whole("a"), whole("b")}, .recipe = CurveRecipe{}};
    method.check = [](const ParameterValues& values) -> Result<void> {
      if (values.integer("a") < values.integer("b")) return invalid("a must be at least b");
      return {};
    };
    QVERIFY(check_method_values(method, values_of({{"a", Index{2}}, {"b", Index{1}}})));
    COMPARE_ERROR(check_method_values(method, values_of({{"a", Index{1}}, {"b", Index{2}}})), "a must be at least b");
    COMPARE_ERROR(check_method_values(method, values_of({{"a", Index{1}}, {"b", Index{200}}})),
                  "b is 200 but must be an integer from 0 to 100");
    COMPARE_ERROR(check_method_values(method, values_of({{"a", Index{1}}})),
                  "parameter b is missing but must be an integer from 0 to 100");
  }

  /// The recipe decides whether make_field calls the method's check before make().
  void field_that_checks_its_values_is_checked_once() {
    int checks = 0, makes = 0;
    Method method{.id = "m", .parameters = {whole("a")}};
    method.check = [&](const ParameterValues&) { return ++checks, Result<void>(); };
    FieldRecipe recipe;
    recipe.make = [&](const ParameterValues&, const Work&) -> Result<std::shared_ptr<const Field>> {
      return ++makes, Error{Errc::too_large, "as an example"};
    };
    method.recipe = recipe;
    COMPARE_ERROR(make_field(method, values_of({{"a", Index{1}}})), "as an example");
    QCOMPARE(checks, 1);
    recipe.make_checks = true;
    method.recipe = recipe;
    COMPARE_ERROR(make_field(method, values_of({{"a", Index{1}}})), "as an example");
    QCOMPARE(checks, 1);
    QCOMPARE(makes, 2);
    COMPARE_ERROR(make_field(method, values_of({{"a", Index{-1}}})), "a is -1 but must be an integer from 0 to 100");
    QCOMPARE(makes, 2);
  }

  void exceptions_of_a_method_become_errors() {
    Method method{.id = "m"};
    method.recipe =
        CurveRecipe{.make = [](const ParameterValues&, const Work&) -> Result<CurveSet> { throw std::bad_alloc(); }};
    const auto curves = make_curves(method, {});
    QVERIFY(!curves && curves.error().code == Errc::too_large);
    RunRecipe run;
    run.make = [](RunRequest, const ParameterValues&, const Work&) -> Result<RunResult> {
      throw std::runtime_error("a library's words");
    };
    method.recipe = run;
    QVERIFY(!make_run(method, {}, {}));
    method.check = [](const ParameterValues&) -> Result<void> { throw std::runtime_error("in a check"); };
    QVERIFY(!check_method_values(method, {}));
  }

  void a_recipe_is_of_one_kind() {
    const Method field{.recipe = FieldRecipe{}}, curves{.recipe = CurveRecipe{}}, run{.recipe = RunRecipe{}};
    QVERIFY(field.field() && !field.curves() && !field.run());
    QVERIFY(!curves.field() && curves.curves() && !curves.run());
    QVERIFY(!run.field() && !run.curves() && run.run());
  }
};

VQSCOPE_TEST(MethodTest)
#include "method_test.moc"
