// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_reader.h"

#include "core/io/json/json_text.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QJsonDocument>
#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;

class JsonReaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const auto read = read_json("{\n  \"a\": [1, -2.5e2, true, null],\n  \"ü\": {\"b\": \"x\"}\n}\n");
    QVERIFY(read.has_value());
    const auto* a = read->find("a");
    QVERIFY(a && a->list());
    QCOMPARE(a->list()->size(), std::size_t{4});
    QCOMPARE(*(*a->list())[0].integer(), Index{1});
    QCOMPARE(*(*a->list())[1].number(), -250.0);
    QCOMPARE(*(*a->list())[2].boolean(), true);
    QVERIFY((*a->list())[3].is_null());
    QCOMPARE(*read->find("ü")->find("b")->text(), std::string("x"));
    QVERIFY(!read->find("b"));
    QVERIFY((a->key_place == TextPlace{2, 3}));
    QVERIFY((a->place == TextPlace{2, 8}));
    QVERIFY((read->find("ü")->place == TextPlace{3, 8}));  // columns are characters
  }

  void duplicate_keys_are_all_there_and_the_last_counts() {
    const auto read = read_json(R"({"factor": 2, "factor": 4})");
    QCOMPARE(read->object()->members.size(), std::size_t{2});
    QCOMPARE(*read->find("factor")->integer(), Index{4});
  }

  void escapes() {
    const auto read = read_json("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\ude00 é\"");
    QVERIFY(read.has_value());
    COMPARE_TEXT(*read->text(), "\"\\/\b\f\n\r\tü😀 é");
  }

  void numbers() {
    QCOMPARE(*read_json("9223372036854775807")->integer(), Index{9223372036854775807});
    QCOMPARE(*read_json("9223372036854775808")->number(), 9223372036854775808.0);
    QVERIFY(!read_json("9223372036854775808")->integer());
    QCOMPARE(*read_json("1e4")->integer(), Index{10000});
    QVERIFY(!read_json("1.5")->integer());
    QCOMPARE(*read_json("-0.5E-1")->number(), -0.05);
  }

  /// As Python and Qt read them: the nearest double is 0.
  void numbers_too_near_to_0_are_0() {
    for (const std::string& tiny :
         {std::string("1e-400"), std::string("-2e-324"), std::string("0.5E-99999999999999999999"),
          "0." + std::string(400, '0') + "1", "0." + std::string(400, '0') + "1e+50"}) {
      const auto read = read_json(tiny);
      QVERIFY2(read && *read->number() == 0, tiny.c_str());
    }
    QCOMPARE(*read_json("5e-324")->number(), std::numeric_limits<double>::denorm_min());
    QCOMPARE(*read_json("0." + std::string(400, '0') + "1e401")->number(), 1.0);
    for (const std::string& huge : {std::string("1e400"), std::string("-1e+99999999999999999999"),
                                    "1" + std::string(400, '0') + ".5", std::string("0.01e999")})
      COMPARE_ERROR(read_json(huge), "line 1, column 1: a number is outside the range of a double");
  }

  void shown() {
    COMPARE_TEXT(read_json(R"(["yarn"])")->list()->front().shown(), "\"yarn\"");
    COMPARE_TEXT(read_json("[1]")->shown(), "a list of 1 item");
    COMPARE_TEXT(read_json("[]")->shown(), "a list of 0 items");
    COMPARE_TEXT(read_json("{}")->shown(), "an object");
    COMPARE_TEXT(read_json("null")->shown(), "null");
    COMPARE_TEXT(read_json("5e5")->shown(), "500000");
    COMPARE_TEXT(read_json('"' + std::string(39, 'a') + "üb\"")->shown(), '"' + std::string(39, 'a') + "…\"");
  }

  void errors_have_a_place_and_a_reason_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* text, const char* message) {
      QTest::newRow(message) << QByteArray(text) << QString(message);
    };
    add("", "line 1, column 1: the text is empty, expected a JSON value");
    add(" \n ", "line 2, column 2: the text is empty, expected a JSON value");
    add("{", "line 1, column 2: the text ends, expected a key in double quotes");
    add("{a: 1}", "line 1, column 2: found a, expected a key in double quotes");
    add("{'a': 1}", "line 1, column 2: found ', expected a key in double quotes");
    add("{\"a\" 1}", "line 1, column 6: found 1, a colon must follow a key");
    add("{\"a\": }", "line 1, column 7: found }, expected a JSON value");
    add("{\"a\": 1 \"b\": 2}", "line 1, column 9: found \", a comma or } must follow a member");
    add("{\"a\": 1,\n}", "line 2, column 1: unexpected comma before }");
    add("[1, 2", "line 1, column 6: the text ends, a comma or ] must follow an item");
    add("[1,]", "line 1, column 4: unexpected comma before ]");
    add("[NaN]", "line 1, column 2: found NaN, expected a JSON value");
    add("[-Infinity]", "line 1, column 3: found Infinity, a number needs a digit here");
    add("[True]", "line 1, column 2: found True, expected a JSON value");
    add("[trueish]", "line 1, column 2: found trueish, expected a JSON value");
    add("[1e999]", "line 1, column 2: a number is outside the range of a double");
    add("[01]", "line 1, column 2: a number begins with 0, which JSON does not allow");
    add("[1.]", "line 1, column 4: found ], a number needs a digit here");
    add("[\"a", "line 1, column 4: the text ends within a string");
    add("[\"a\nb\"]", "line 1, column 4: a string holds a line break or another control character");
    add("[\"\\x\"]", "line 1, column 3: a backslash in a string must be followed by one of \" \\ / b f n r t u");
    add("[\"\\u12g4\"]", "line 1, column 3: \\u must be followed by four hexadecimal digits");
    add("[\"\\ud800\"]", "line 1, column 3: half of a surrogate pair is missing");
    add("[\"\xff\"]", "line 1, column 3: a byte is not UTF-8");
    add("[\xff]", "line 1, column 2: found a byte that is not text, expected a JSON value");
    add("{} x", "line 1, column 4: unexpected content after the JSON value");
    add("\xef\xbb\xbf{}", "line 1, column 1: unexpected byte order mark before the JSON");
  }
  void errors_have_a_place_and_a_reason() {
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    const auto read = read_json(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    COMPARE_ERROR(read, message.toStdString());
  }

  void depth_and_size_are_limited() {
    QVERIFY(read_json(std::string(64, '[') + std::string(64, ']')).has_value());
    COMPARE_ERROR(read_json(std::string(100000, '[')), "line 1, column 66: values are nested more than 64 levels deep");
    COMPARE_ERROR(read_json(std::string(most_json_bytes + 1, ' ')), "the text has 4 MiB, at most 4 MiB are read");
    COMPARE_ERROR(read_json("[1, 2]", {.most_bytes = 5}), "the text has 6 bytes, at most 5 bytes are read");
    QVERIFY(read_json("[1, 2]", {.most_bytes = 6}).has_value());
  }

  /// Packed numbers are none of them, until they are made values of their own.
  void values_are_counted() {
    const auto read = [](const char* text) { return read_json(text, {.most_values = 3, .packs_numbers = true}); };
    QVERIFY(read("[[], {}]") && read("[[1, 2, 3, 4], null]") && read("[1, \"a\"]"));
    COMPARE_ERROR(read("[[], {}, []]"), "line 1, column 10: there are more than 3 values");
    COMPARE_ERROR(read("[1, 2, 3, 4, 5, null]"), "line 1, column 17: there are more than 3 values");
    COMPARE_ERROR(read("{\"a\": {\"b\": 1, \"c\": 2}}"), "line 1, column 21: there are more than 3 values");
  }

  /// As the writer means them; halves of characters are still refused.
  void invalid_utf8_round_trips() {
    COMPARE_TEXT(*read_json(R"("k\udcff.npy")")->text(), "k\xff.npy");
    for (const char* each : {"", "\xff", "a\x80\xfe z", "\xc3", "\xed\xa0\x80", "ü\xc3"})
      QCOMPARE(*read_json(json_text(each))->text(), std::string(each));
    COMPARE_ERROR(read_json(R"("\udc7f")"), "line 1, column 2: half of a surrogate pair is missing");
  }

  void nan_and_infinity_of_python_are_read() {
    const auto read = read_json("[NaN, Infinity, -Infinity]", {.python_numbers = true, .packs_numbers = true});
    QCOMPARE(read->list()->size(), std::size_t{3});
    QVERIFY(std::isnan(*read->list()->front().number()));
    QCOMPARE(*read->list()->back().number(), -std::numeric_limits<double>::infinity());
  }

  void lists_of_numbers_are_packed() {
    const auto packed = [](const char* text) { return *read_json(text, {.packs_numbers = true}); };
    QCOMPARE(*packed("[1, -2, 3]").integers(), (std::vector<Index>{1, -2, 3}));
    QCOMPARE(*packed("[1, 0.5, 3]").reals(), (std::vector<double>{1, 0.5, 3}));
    QCOMPARE(*packed("[0.5]").reals(), (std::vector<double>{0.5}));
    QVERIFY(packed("[]").list() && packed("[[1]]").list() && packed("[\"a\", 1]").list());
    COMPARE_TEXT(packed("[1]").shown(), "a list of 1 item");
    COMPARE_TEXT(packed("[1.5, 2]").shown(), "a list of 2 items");
  }

  /// The items before it stand where the list does; the others where they are.
  void a_list_with_another_item_is_a_list() {
    const auto read = read_json("[1, 2.5, \"a\", 4]", {.packs_numbers = true});
    const auto& items = *read->list();
    QCOMPARE(items.size(), std::size_t{4});
    QCOMPARE(*items[0].number(), 1.0);
    QCOMPARE(*items[1].number(), 2.5);
    COMPARE_TEXT(*items[2].text(), "a");
    QCOMPARE(*items[3].integer(), Index{4});
    QCOMPARE(items[1].place, (TextPlace{1, 1}));
    QCOMPARE(items[2].place, (TextPlace{1, 10}));
    COMPARE_ERROR(read_json("[1, 2, x]", {.packs_numbers = true}), "line 1, column 8: found x, expected a JSON value");
    COMPARE_ERROR(read_json("[1, 1e999]", {.packs_numbers = true}),
                  "line 1, column 5: a number is outside the range of a double");
    COMPARE_ERROR(read_json("[1, 2", {.packs_numbers = true}),
                  "line 1, column 6: the text ends, a comma or ] must follow an item");
  }

  void values_are_equal_wherever_they_stand() {
    QVERIFY(*read_json("{\"a\": [1, null]}") == *read_json("{ \"a\":\n[1,null] }"));
    QVERIFY(*read_json("{\"a\": 1}") != *read_json("{\"b\": 1}"));
    QVERIFY(*read_json("[1]") != *read_json("[2]"));
  }

  /// Random edits of a text: Qt's reader takes the same ones, apart from what only ours refuses.
  void agrees_with_another_reader() {
    const std::string base = R"({"a": [1, 2.5e3, -0], "b": {"c": "\u00fcx\n", "d": null}, "e": true, "é": []})";
    constexpr std::string_view bytes = "{}[]\",:\\ue1.-+ \n0tfn\xc3";
    test::Random random(7);
    for (int round = 0; round < 20000; ++round) {
      std::string text = base;
      for (Index edits = test::pick(random, 0, 2); edits >= 0; --edits) {
        const auto at = static_cast<std::size_t>(test::pick(random, 0, std::ssize(text) - 1));
        text[at] = bytes[static_cast<std::size_t>(test::pick(random, 0, std::ssize(bytes) - 1))];
      }
      const bool taken = read_json(text).has_value();
      const bool wanted = !QJsonDocument::fromJson(QByteArray::fromStdString(text)).isNull();
      if (taken) QVERIFY2(wanted, text.c_str());
      if (wanted && !taken)
        QVERIFY2(text.find('\\') != std::string::npos || text.find('0') != std::string::npos, text.c_str());
    }
  }
};

VQSCOPE_TEST(JsonReaderTest)
#include "json_reader_test.moc"
