// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/parameter.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

std::vector<ParameterSpec> specs() {
  return {{.name = "num_buckets", .default_value = Index{32}, .minimum = 2, .maximum = 4096},
          {.name = "rope_theta", .kind = ParameterKind::real, .default_value = 1e4, .minimum = 0.5, .maximum = 1e15},
          {.name = "bidirectional", .kind = ParameterKind::boolean, .default_value = true},
          {.name = "rope_type",
           .label = "Scaling",
           .kind = ParameterKind::choice,
           .default_value = std::string("default"),
           .choices = {{"default", ""}, {"linear", ""}, {"yarn", ""}}},
          {.name = "curves",
           .kind = ParameterKind::choice_set,
           .default_value = std::vector<std::string>{"alibi"},
           .choices = {{"alibi", ""}, {"kerple", ""}}},
          {.name = "lengths",
           .kind = ParameterKind::integer_list,
           .default_value = std::vector<Index>{},
           .minimum = 1,
           .maximum = 100},
          {.name = "short_factor",
           .kind = ParameterKind::real_list,
           .default_value = std::vector<double>{},
           .minimum = 0.5,
           .maximum = 100},
          {.name = "factor",
           .kind = ParameterKind::real,
           .default_value = 2.0,
           .minimum = 1,
           .maximum = 64,
           .relevant = {{"rope_type", {"linear", "yarn"}}}}};
}

const ParameterSpec& spec(std::string_view name) {
  static const auto all = specs();
  return *find_spec(all, name);
}

/// Parses and checks, as the command line does.
Result<ParameterValue> given(std::string_view name, std::string_view text) {
  auto value = parse_value(spec(name), text);
  if (!value) return value;
  if (auto checked = check_value(spec(name), *value); !checked) return checked.error();
  return value;
}

}  // namespace

class ParameterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_default_decides_the_kind() {
    const auto kind_of = [](ParameterValue value) {
      return make_parameter("name", "group", "help", {.default_value = std::move(value)}).kind;
    };
    QVERIFY(kind_of(Index{3}) == ParameterKind::integer);
    QVERIFY(kind_of(3.0) == ParameterKind::real);
    QVERIFY(kind_of(true) == ParameterKind::boolean);
    QVERIFY(kind_of(std::string("a")) == ParameterKind::choice);
    QVERIFY(kind_of(std::vector<std::string>{"a"}) == ParameterKind::choice_set);
    QVERIFY(kind_of(std::vector<Index>{3}) == ParameterKind::integer_list);
    QVERIFY(kind_of(std::vector<double>{3}) == ParameterKind::real_list);
    const auto text =
        make_parameter("name", "group", "help", {.kind = ParameterKind::text, .default_value = std::string()});
    QVERIFY(text.kind == ParameterKind::text && text.name == "name" && text.group == "group" && text.help == "help");
  }

  /// A comma within brackets belongs to the choice.
  void choicesWithCommas() {
    const ParameterSpec terms{.name = "terms_off",
                              .kind = ParameterKind::choice_set,
                              .default_value = std::vector<std::string>{},
                              .choices = {{"or_masks(a, b)", ""}, {"c[q, 1]", ""}}};
    const auto parsed = parse_value(terms, "or_masks(a, b), c[q, 1]");
    QVERIFY(parsed && check_value(terms, *parsed));
    QVERIFY(*parsed == ParameterValue(std::vector<std::string>{"or_masks(a, b)", "c[q, 1]"}));
    QVERIFY(*parse_value(terms, "") == ParameterValue(std::vector<std::string>{}));
  }

  void every_kind_is_read_and_written() {
    const auto round_trip = [](std::string_view name, std::string_view text) {
      const auto value = given(name, text);
      return value ? format_value(*value) : value.error().message;
    };
    COMPARE_TEXT(round_trip("num_buckets", " 64 "), "64");
    COMPARE_TEXT(round_trip("num_buckets", "2k"), "2048");
    COMPARE_TEXT(round_trip("num_buckets", "2^5"), "32");
    COMPARE_TEXT(round_trip("rope_theta", "5e5"), "5e+05");
    COMPARE_TEXT(round_trip("rope_theta", "1k"), "1024");
    COMPARE_TEXT(round_trip("bidirectional", "False"), "false");
    COMPARE_TEXT(round_trip("bidirectional", "on"), "true");
    COMPARE_TEXT(round_trip("rope_type", "yarn"), "yarn");
    COMPARE_TEXT(round_trip("curves", "kerple, alibi"), "kerple,alibi");
    COMPARE_TEXT(round_trip("curves", ""), "");
    COMPARE_TEXT(round_trip("lengths", "[3, 2,6]"), "3,2,6");
    COMPARE_TEXT(round_trip("lengths", "[]"), "");
    COMPARE_TEXT(round_trip("lengths", "2^4,1e2"), "16,100");
    COMPARE_TEXT(round_trip("short_factor", "[1, 1.25,2^4]"), "1,1.25,16");
    COMPARE_TEXT(round_trip("short_factor", ""), "");
  }

  void errors_name_parameter_value_and_range() {
    COMPARE_ERROR(given("num_buckets", "1"), "num_buckets is 1 but must be an integer from 2 to 4096");
    COMPARE_ERROR(given("num_buckets", "3.5"), "num_buckets is 3.5 but must be an integer from 2 to 4096");
    COMPARE_ERROR(given("num_buckets", ""), "num_buckets is empty but must be an integer from 2 to 4096");
    COMPARE_ERROR(given("rope_theta", "0.1"), "rope_theta is 0.1 but must be a number from 0.5 to 1e+15");
    COMPARE_ERROR(given("rope_theta", "nan"), "rope_theta is nan but must be a number from 0.5 to 1e+15");
    COMPARE_ERROR(given("bidirectional", "maybe"), "bidirectional is maybe but must be true or false");
    COMPARE_ERROR(given("rope_type", "linaer"),
                  "rope_type is linaer but must be one of default, linear, yarn; did you mean linear?");
    COMPARE_ERROR(given("curves", "alibi,kerpel"),
                  "curves is kerpel but must be a comma-separated list of alibi, kerple; did you mean kerple?");
    COMPARE_ERROR(given("lengths", "3,x"),
                  "lengths is 3,x but must be a comma-separated list of integers from 1 to 100");
    COMPARE_ERROR(given("lengths", "3,0"), "lengths has the item 0, each must be an integer from 1 to 100");
    COMPARE_ERROR(given("short_factor", "1,x"),
                  "short_factor is 1,x but must be a comma-separated list of numbers from 0.5 to 100");
    COMPARE_ERROR(given("short_factor", "1,0.25"),
                  "short_factor has the item 0.25, each must be a number from 0.5 to 100");
  }

  void a_value_of_another_type_is_refused() {
    COMPARE_ERROR(check_value(spec("num_buckets"), 2.0), "num_buckets is 2 but must be an integer from 2 to 4096");
    COMPARE_ERROR(check_value(spec("rope_type"), true), "rope_type is true but must be one of default, linear, yarn");
  }

  void endless_lists_are_refused() {
    const std::vector<Index> items((std::size_t{1} << 16) + 1, 5);
    COMPARE_ERROR(check_value(spec("lengths"), items), "lengths has 65537 items, at most 65536 are allowed");
  }

  void sets_of_values() {
    const auto all = specs();
    auto values = default_values(all);
    QVERIFY(check_values(all, values));
    QCOMPARE(values.map().size(), all.size());
    values.set("num_bukets", Index{3});
    COMPARE_ERROR(check_values(all, values), "unknown parameter num_bukets; did you mean num_buckets?");

    ParameterValues missing = default_values(std::span(all).first(1));
    COMPARE_ERROR(check_values(all, missing), "parameter rope_theta is missing but must be a number from 0.5 to 1e+15");
  }

  void values_by_name() {
    const auto values = default_values(specs());
    QCOMPARE(values.integer("num_buckets"), Index{32});
    QCOMPARE(values.real("rope_theta"), 1e4);
    QCOMPARE(values.boolean("bidirectional"), true);
    COMPARE_TEXT(values.choice("rope_type"), "default");
    QCOMPARE(values.choices("curves").size(), std::size_t{1});
    QVERIFY(values.integers("lengths").empty());
    QVERIFY(values.reals("short_factor").empty());
    QVERIFY(!values.find("nothing"));
    QVERIFY(values == default_values(specs()));
    QCOMPARE(default_values(specs(), {{"num_buckets", Index{64}}}).integer("num_buckets"), Index{64});
  }

  void relevance_follows_the_other_value() {
    auto values = default_values(specs());
    QVERIFY(is_relevant(spec("rope_theta"), values));
    QVERIFY(!is_relevant(spec("factor"), values));
    values.set("rope_type", std::string("yarn"));
    QVERIFY(is_relevant(spec("factor"), values));

    ParameterSpec slope{.name = "slope", .relevant = {{"curves", {"alibi"}}}};
    QVERIFY(is_relevant(slope, values));
    values.set("curves", std::vector<std::string>{"kerple"});
    QVERIFY(!is_relevant(slope, values));
    slope.relevant = {{"bidirectional", {"true"}}};
    QVERIFY(is_relevant(slope, values));
    slope.relevant = {{"unheard_of", {"true"}}};
    QVERIFY(is_relevant(slope, values));
  }

  void unused_values_are_refused() {
    auto values = default_values(specs());
    QVERIFY(check_relevant(spec("factor"), values));
    values.set("factor", 8.0);
    COMPARE_ERROR(check_relevant(spec("factor"), values), "factor is not used while rope_type is default");
    values.set("rope_type", std::string("linear"));
    QVERIFY(check_relevant(spec("factor"), values));
    QVERIFY(check_relevant(spec("rope_theta"), values));
  }

  void titles_fall_back_to_the_name() {
    COMPARE_TEXT(spec("rope_type").title(), "Scaling");
    COMPARE_TEXT(spec("factor").title(), "factor");
  }
};

VQSCOPE_TEST(ParameterTest)
#include "parameter_test.moc"
