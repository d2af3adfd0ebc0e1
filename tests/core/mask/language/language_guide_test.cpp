// SPDX-License-Identifier: GPL-3.0-or-later
// The guide's page on the mask language is correct: accepted texts compile, refused ones give its errors.
#include "core/base/text.h"
#include "core/mask/language/compile/program.h"
#include "core/mask/language/names/function_row.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// A function as the guide lists it: its example, then its other names.
std::string entry_of(const FunctionRow& row, bool is_operator) {
  const std::string name(row.name());
  std::string entry = !row.example.empty() ? "`" + std::string(row.example) + "`"
                      : is_operator        ? "`torch." + name + "(a, b)`"
                                           : "`." + name + "`";
  std::vector<std::string> others;
  for (const std::string_view names : {row.names, row.methods})
    for (const std::string_view each : split(names, ' '))
      if (const auto quoted = "`" + std::string(each) + "`";
          !each.empty() && each != name && std::ranges::find(others, quoted) == others.end())
        others.push_back(quoted);
  return others.empty() ? entry : entry + " (" + join(others, ", ") + ")";
}

/// The guide's paragraph on the functions of a section, in lines of at most 118 characters.
std::string paragraph_of(const FunctionSection& section) {
  std::vector<std::string> entries;
  for (const FunctionRow& row : section.rows)
    if (row.of_values || row.of_arrays || row.of_call || row.unchanged != Unchanged::none || !row.kernel.empty())
      entries.push_back(entry_of(row, section.title == "Operators"));
  std::string text, line = "**" + std::string(section.title) + "**:";
  for (const std::string& entry : entries) {
    const std::string next = entry + (&entry == &entries.back() ? "." : ",");
    const bool fits = line.size() + 1 + next.size() <= 118;
    if (!fits) text += std::exchange(line, "") + "\n";
    line += (fits ? " " : "") + next;
  }
  return text + line + "\n";
}

}  // namespace

class LanguageGuideTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void examples_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("refusal");
    QFile guide(sourcePath("resources/docs/guide/mask_language.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(guide.readAll());
    static const QRegularExpression example("```python (takes|refuses: ([^\n]+))\n(.*?)```",
                                            QRegularExpression::DotMatchesEverythingOption);
    int count = 0;
    for (auto found = example.globalMatch(page); found.hasNext(); ++count) {
      const auto match = found.next();
      QTest::addRow("example %d", count) << match.captured(3) << match.captured(2);
    }
    QVERIFY(count >= 15);
    QCOMPARE(page.count("```python"), count);
  }

  /// The right section is printed if it differs.
  void listed_functions_agree_with_the_rows() {
    QFile guide(sourcePath("resources/docs/guide/mask_language.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    const std::string page = guide.readAll().toStdString();
    const auto begin = page.find("**Without a module**");
    QVERIFY(begin != std::string::npos);
    std::string expected;
    for (const FunctionSection& section : function_sections()) expected += paragraph_of(section) + "\n";
    QVERIFY2(page.substr(begin, page.find("## ", begin) - begin) == expected, ("write\n" + expected).c_str());
  }

  void examples() {
    QFETCH(QString, text);
    QFETCH(QString, refusal);
    const auto parsed = MaskProgram::parse(text.toStdString());
    if (refusal.isEmpty()) QVERIFY2(parsed, parsed.error.message.c_str());
    if (!refusal.isEmpty())
      QVERIFY2(!parsed && parsed.error.message.starts_with(refusal.toStdString()),
               parsed ? "it is taken" : parsed.error.message.c_str());
  }
};

VQSCOPE_TEST(LanguageGuideTest)
#include "language_guide_test.moc"
