// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/command_parser.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

using Words = std::vector<std::string>;

const std::vector<OptionLine>& options() {
  static const std::vector<OptionLine> all{
      {.name = "--set", .value = "NAME=VALUE", .help = "a parameter; may be repeated"},
      {.name = "--head", .value = "N", .help = "of an array"},
      {.name = "--json", .help = "for programs"},
      {.name = "--out", .value = "FILE...", .help = "the files", .takesMany = true}};
  return all;
}

/// "--set a=1", "word": what was understood, in order; the error where it was not.
Words understood(const Words& arguments) {
  const auto line = parseLine(options(), arguments);
  if (!line) return {line.error().message};
  if (line->help) return {"help"};
  Words all;
  for (const auto& given : line->words)
    all.push_back((given.option ? options()[*given.option].name + ' ' : std::string()) + given.value);
  if (line->quiet) all.push_back("quiet");
  return all;
}

}  // namespace

class CommandParserTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void understoodInOrder_data() {
    QTest::addColumn<Words>("arguments");
    QTest::addColumn<Words>("wanted");
    const auto add = [](const char* name, const Words& arguments, const Words& wanted) {
      QTest::newRow(name) << arguments << wanted;
    };
    add("nothing", {}, {});
    add("in order", {"--set", "a=1", "word", "--head", "2", "--set=b=2"},
        {"--set a=1", "word", "--head 2", "--set b=2"});
    add("negative numbers", {"--head", "-1", "--set", "window=-1", "-3:5"}, {"--head -1", "--set window=-1", "-3:5"});
    add("minus by itself", {"-", "--set", "-"}, {"-", "--set -"});
    add("minus after an equals sign", {"--head=-inf", "--set=--json"}, {"--head -inf", "--set --json"});
    add("after two minuses", {"--head", "1", "--", "-x.py", "--json"}, {"--head 1", "-x.py", "--json"});
    add("empty", {"--set=", "word", "--set", "", ""}, {"--set ", "word", "--set ", ""});
    add("many", {"--out", "a", "b", "--json", "c"}, {"--out a", "--out b", "--json ", "c"});
    add("brackets are no lists", {"--out", "[a,b]", "--set", "[a,b]", "[c,d]"},
        {"--out [a,b]", "--set [a,b]", "[c,d]"});
    add("words of other parsers", {"++", "{}", "/help", "--set", "true"}, {"++", "{}", "/help", "--set true"});
    add("help", {"word", "--help"}, {"help"});
    add("help, shortly", {"-h", "--set", "a"}, {"help"});
    add("quiet", {"-q", "word"}, {"word", "quiet"});
    add("quiet, at length", {"word", "--quiet"}, {"word", "quiet"});
    add("quiet takes no value", {"--quiet=1"}, {"--quiet takes no value"});
    add("no value", {"--set"}, {"--set needs a value"});
    add("no value but an option", {"--set", "--json"}, {"--set needs a value"});
    add("no value but an option with one", {"--out", "--set=a"}, {"--out needs a value"});
    add("no value but what looks like an option", {"--head", "-inf"}, {"--head needs a value"});
    add("a value too many", {"--json=1"}, {"--json takes no value"});
    add("unknown", {"--sett", "a"}, {"unknown option --sett; did you mean --set?"});
    add("unknown with a value", {"--jsno=1"}, {"unknown option --jsno; did you mean --json?"});
    add("unknown without a name", {"--=", "--=1"}, {"unknown option --"});
    add("unknown, shortly", {"-x"}, {"unknown option -x"});
    add("the first that is unknown", {"word", "--one", "--two"}, {"unknown option --one"});
  }

  void understoodInOrder() {
    QFETCH(Words, arguments);
    QFETCH(Words, wanted);
    QCOMPARE(understood(arguments), wanted);
  }

  void namesThatAreNoUtf8Survive() {
    const std::string name = "a\xff\x80.npy";
    const auto line = parseLine(options(), {name, "--out", name, "--set=" + name});
    QVERIFY(line);
    QCOMPARE(line->words.size(), std::size_t{3});
    for (const auto& given : line->words) QCOMPARE(given.value, name);
  }

  void longArgumentsAreShortenedInSentences() {
    const std::string much(26'000, 'x');
    for (const auto& arguments : {Words{"--" + much}, Words{"--json=" + much}, Words{"-" + much}}) {
      const auto line = parseLine(options(), arguments);
      QVERIFY(!line);
      QVERIFY2(line.error().message.size() <= 400, line.error().message.c_str());
    }
    QCOMPARE(parseLine(options(), {much})->words.front().value, much);
  }

  void helpIsMadeOfTheTable() {
    const std::string text = helpText("row N [options]", "\nAbout it.\n", options(), "\nExit status: 0 done.\n");
    COMPARE_TEXT(text,
                 "vqscope row N [options]\n"
                 "\nAbout it.\n"
                 "\nOptions:\n"
                 "  -h,--help             show this help\n"
                 "  -q,--quiet            print no notes, warnings or progress on stderr; refusals are printed\n"
                 "  --set NAME=VALUE      a parameter; may be repeated\n"
                 "  --head N              of an array\n"
                 "  --json                for programs\n"
                 "  --out FILE...         the files\n"
                 "\nExit status: 0 done.\n");
    std::string words;
    for (int i = 0; i < 60; ++i) words += "word ";
    const std::vector<OptionLine> wide{{.name = "--wide", .help = words + "end"}};
    for (const auto& line : QString::fromStdString(helpText("row", "", wide, "")).split('\n'))
      QVERIFY2(line.size() <= 120, qPrintable(line));
  }
};

VQSCOPE_TEST(CommandParserTest)
#include "command_parser_test.moc"
