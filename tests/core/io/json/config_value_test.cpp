// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/config_value.h"

#include "core/io/json/json_reader.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;

class ConfigValueTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_new_value_is_null() {
    const ConfigValue value;
    QVERIFY(value.is_null());
    QVERIFY(!value.integer() && !value.number() && !value.text() && !value.boolean() && !value.list());
    COMPARE_TEXT(value.shown(), "null");
  }

  /// 1.0 is 1 to people who write a config; 2^53 + 1 is a double that another integer has too.
  void whole_reals_are_integers_as_far_as_a_double_counts() {
    const auto integer = [](double value) { return ConfigValue{.data = value}.integer(); };
    QCOMPARE(integer(1.0), std::optional<Index>(1));
    QCOMPARE(integer(-0.0), std::optional<Index>(0));
    QCOMPARE(integer(1e6), std::optional<Index>(1'000'000));
    QCOMPARE(integer(0x1p53), std::optional<Index>(Index{1} << 53));
    QCOMPARE(integer(-0x1p53), std::optional<Index>(-(Index{1} << 53)));
    for (const double none : {0.5, 0x1p53 + 2, -0x1p53 - 2, 1e300, std::numeric_limits<double>::infinity()})
      QVERIFY2(!integer(none), std::to_string(none).c_str());
    QVERIFY(!integer(std::nan("")));
  }

  void integers_are_numbers_and_booleans_are_not() {
    QCOMPARE(ConfigValue{.data = Index{3}}.number(), std::optional<double>(3));
    QCOMPARE(ConfigValue{.data = 0.5}.number(), std::optional<double>(0.5));
    const ConfigValue yes{.data = true};
    QVERIFY(!yes.number() && !yes.integer() && *yes.boolean());
    QVERIFY(!ConfigValue{.data = std::string("3")}.number());
  }

  /// Python's json.loads keeps the last of equal keys.
  void the_last_of_equal_members_is_found() {
    const auto read = *read_json(R"({"theta": 1, "other": null, "theta": 2})");
    QCOMPARE(read.find("theta")->integer(), std::optional<Index>(2));
    QVERIFY(read.find("other")->is_null());
    QVERIFY(!read.find("thet") && !read.find(""));
    QVERIFY2(!read.find("theta")->find("theta"), "a number has no members");
    QVERIFY2(!read_json("[1]")->find("0"), "nor has a list");
  }

  void shown_in_a_sentence_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("shown");
    const auto add = [](const char* json, const char* shown) { QTest::newRow(json) << json << shown; };
    add("null", "null");
    add("true", "true");
    add("false", "false");
    add("8", "8");
    add("-9223372036854775808", "-9223372036854775808");
    add("5e5", "500000");
    add("1e-6", "1e-06");
    add("2.5", "2.5");
    add("NaN", "NaN");
    add("Infinity", "Infinity");
    add("-Infinity", "-Infinity");
    add("\"yarn\"", "\"yarn\"");
    add("\"a\\n\\tb\"", "\"a b\"");
    add("[]", "a list of 0 items");
    add("[null]", "a list of 1 item");
    add("[1, 2]", "a list of 2 items");
    add("[1.5]", "a list of 1 item");
    add("{\"a\": {}}", "an object");
  }
  void shown_in_a_sentence() {
    QFETCH(QString, json);
    QFETCH(QString, shown);
    for (const bool packs : {false, true}) {
      const auto read = read_json(json.toStdString(), {.python_numbers = true, .packs_numbers = packs});
      QVERIFY(read.has_value());
      COMPARE_TEXT(read->shown(), shown.toStdString());
    }
  }

  void places() {
    COMPARE_TEXT((TextPlace{3, 14}.text()), "line 3, column 14: ");
    const auto read = *read_json("{\n \"a\" :\n  [7,\n8]}");
    const ConfigValue& a = *read.find("a");
    QCOMPARE(read.place, (TextPlace{1, 1}));
    QCOMPARE(a.key_place, (TextPlace{2, 2}));
    QCOMPARE(a.place, (TextPlace{3, 3}));
    QCOMPARE((*a.list())[1].place, (TextPlace{4, 1}));
  }

  /// A list that was packed holds the same numbers, but is another kind of value.
  void equal_data_under_equal_keys_are_equal() {
    QVERIFY(*read_json("[1, 2]") == *read_json("\n[1,2]"));
    QVERIFY(!(*read_json("[1, 2]") == *read_json("[2, 1]")));
    QVERIFY(!(*read_json("1") == *read_json("1.0")));
    QVERIFY(!(*read_json(R"({"a": 1, "b": 2})") == *read_json(R"({"b": 2, "a": 1})")));
  }
};

VQSCOPE_TEST(ConfigValueTest)
#include "config_value_test.moc"
