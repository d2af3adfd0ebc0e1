// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/config_ledger.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ConfigLedgerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ranges_hold_their_ends_unless_the_low_one_is_excluded() {
    const NumberRange closed{2, 4096};
    QVERIFY(closed.holds(2) && closed.holds(4096) && !closed.holds(1.999) && !closed.holds(4097));
    const NumberRange open{1, 1e12, true};
    QVERIFY(!open.holds(1) && open.holds(1.0000001) && open.holds(1e12) && !open.holds(2e12));
    QVERIFY(!closed.holds(std::numeric_limits<double>::quiet_NaN()));
    COMPARE_TEXT(closed.text(), "from 2 to 4096");
    COMPARE_TEXT(open.text(), "above 1 and at most 1000000000000");
  }

  void values_of_the_requested_kind() {
    GivenConfig given("{'theta': 1e4, 'heads': 32.0, 'tie': true, 'type': 'yarn', 'list': [1, 2.5]}");
    const auto& config = given.object;
    QCOMPARE(config.number("theta", {1, 1e6}), std::optional<double>(1e4));
    QCOMPARE(config.integer("heads", {1, 64}), std::optional<Index>(32));
    QCOMPARE(config.boolean("tie"), std::optional<bool>(true));
    QCOMPARE(config.text("type"), std::optional<std::string>("yarn"));
    QCOMPARE(config.numbers("list", {1, 3}), std::optional(std::vector<double>{1, 2.5}));
    COMPARE_TEXT(given.findings(), "");
  }

  void missing_keys_are_empty_and_no_error() {
    GivenConfig given("{'theta': null}");
    const auto& config = given.object;
    for (const char* key : {"theta", "other"}) {
      QVERIFY(!config.has(key) && !config.take(key));
      QVERIFY(!config.number(key, {}) && !config.integer(key, {}) && !config.boolean(key) && !config.text(key) &&
              !config.numbers(key, {}));
    }
    COMPARE_TEXT(given.findings(), "");
    QVERIFY2(given.was_read("theta"), "a key that is null was looked at all the same");
  }

  void other_kinds_and_numbers_out_of_range_are_errors_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("number");
    QTest::addColumn<QString>("integer");
    const auto add = [](const char* value, const char* shown, bool is_number = false) {
      const QString error = QStringLiteral("error: rope.x is ") + QString::fromUtf8(shown) + " but must be a";
      QTest::newRow(value) << value << (is_number ? QString() : error + " number from 0 to 8")
                           << error + "n integer from 0 to 8";
    };
    add("'4'", "\"4\"");
    add("true", "true");
    add("[4]", "a list of 1 item");
    add("{}", "an object");
    add("9", "9");
    add("-0.5", "-0.5");
    add("NaN", "NaN");
    add("Infinity", "Infinity");
    add("2.5", "2.5", true);
  }
  void other_kinds_and_numbers_out_of_range_are_errors() {
    QFETCH(QString, value);
    QFETCH(QString, number);
    QFETCH(QString, integer);
    GivenConfig given("{'x': " + value.toStdString() + "}", "rope");
    QCOMPARE(given.object.number("x", {0, 8}).has_value(), number.isEmpty());
    COMPARE_TEXT(given.findings(), number.toStdString());
    QVERIFY(!given.object.integer("x", {0, 8}));
    COMPARE_TEXT(given.findings(), integer.toStdString());
  }

  void other_errors() {
    GivenConfig given("{'flag': 1, 'name': 7, 'list': 4, 'items': [1, 'x'], 'range': [1, 9]}");
    QVERIFY(!given.object.boolean("flag") && !given.object.text("name"));
    QVERIFY(!given.object.numbers("list", {}) && !given.object.numbers("items", {0, 8}));
    QVERIFY(!given.object.numbers("range", {0, 8}));
    QCOMPARE(given.object.ledger().errors(), Index{5});
    COMPARE_TEXT(given.findings(),
                 "error: flag is 1 but must be true or false\n"
                 "error: name is 7 but must be a string\n"
                 "error: list is 4 but must be a list of numbers\n"
                 "error: item 1 of items is \"x\" but must be a number from 0 to 8\n"
                 "error: item 1 of range is 9 but must be a number from 0 to 8");
  }

  void take_marks_a_key_as_read() {
    GivenConfig given("{'a': 1, 'b': 2}");
    QVERIFY(given.object.has("a"));
    QVERIFY2(!given.was_read("a"), "to ask whether it is there is not to read it");
    given.object.take("a");
    QVERIFY(given.was_read("a") && !given.was_read("b"));
  }

  void the_first_of_several_names_that_has_a_value() {
    GivenConfig given("{'n_head': null, 'n_heads': 8, 'num_heads': 9}");
    COMPARE_TEXT(given.object.first_of({"num_attention_heads", "n_head", "n_heads", "num_heads"}), "n_heads");
    COMPARE_TEXT(given.object.first_of({"hidden_size", "d_model"}), "hidden_size");
  }

  void paths() {
    GivenConfig top("{}");
    COMPARE_TEXT(top.object.path_of("head_dim"), "head_dim");
    GivenConfig inner("{}", "text_config.rope_scaling");
    COMPARE_TEXT(inner.object.path_of("factor"), "text_config.rope_scaling.factor");
    COMPARE_TEXT(inner.object.path_of("a\nb"), "text_config.rope_scaling.a b");
  }

  void finding_has_the_place_of_its_key_or_object() {
    const auto root = *read_json("\n {\"a\":\n 1}");
    ConfigLedger ledger;
    const ConfigObject config(root, "", ledger);
    config.note("missing", "first");
    config.warning("a", "second");
    const auto findings = ledger.take_findings();
    QCOMPARE(findings[0].place, (TextPlace{2, 2}));
    COMPARE_TEXT(findings[0].path, "missing");
    QVERIFY(findings[0].severity == ConfigSeverity::note && findings[1].severity == ConfigSeverity::warning);
    QCOMPARE(findings[1].place, (TextPlace{2, 3}));
    COMPARE_TEXT(finding_text(findings[1]), "line 2: warning: second");
  }

  void findings_come_in_the_order_of_the_text_and_once() {
    ConfigLedger ledger;
    ledger.add(ConfigSeverity::note, "c", {3, 1}, "c");
    ledger.add(ConfigSeverity::error, "b", {2, 9}, "b");
    ledger.add(ConfigSeverity::note, "a", {2, 1}, "a");
    ledger.add(ConfigSeverity::note, "b", {2, 9}, "b");
    QCOMPARE(ledger.errors(), Index{1});
    std::string order;
    for (const auto& finding : ledger.take_findings()) order += finding.sentence;
    COMPARE_TEXT(order, "abc");
    QVERIFY(ledger.take_findings().empty());
  }

  void sentences_are_at_most_400_characters() {
    ConfigLedger ledger;
    ledger.add(ConfigSeverity::note, "", {}, std::string(401, 'x'));
    ledger.add(ConfigSeverity::note, "", {}, std::string(400, 'y'));
    const auto findings = ledger.take_findings();
    COMPARE_TEXT(findings[0].sentence, std::string(399, 'x') + "…");
    COMPARE_TEXT(findings[1].sentence, std::string(400, 'y'));
  }

  void repeated_keys_are_reported_once_per_object() {
    GivenConfig given("{'a': 1,\n'a': 2,\n'b': 3, 'a': 4}", "rope_scaling");
    QCOMPARE(given.object.number("a", {0, 9}), std::optional<double>(4));
    COMPARE_TEXT(given.findings(), "warning: rope_scaling.a is repeated, first on line 1: the last one is used");
  }
};

VQSCOPE_TEST(ConfigLedgerTest)
#include "config_ledger_test.moc"
