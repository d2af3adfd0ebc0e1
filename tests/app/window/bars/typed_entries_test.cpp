// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/typed_entries.h"

#include "core/session/page_parameters.h"
#include "core/session/shown_page.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// Targets of a page of the default session, and what was done.
struct Typed {
  Session session = default_session();
  ShownPages pages{session};
  QString done;
  TypedTargets targets;

  explicit Typed(const std::string& page) {
    const auto specs = page_sides(pages.at(page)).values;
    targets.page = page;
    targets.specs.assign(specs->of_shown().begin(), specs->of_shown().end());
    targets.values = pages.at(page).values;
    targets.valuesOf = [this](const std::string& id) -> const ParameterValues& { return pages.at(id).values; };
    targets.set = [this](const ParameterValues& values) { done = settingsOf(values); };
    targets.open = [this](const std::string& method, const ParameterValues& values) {
      done = QString::fromStdString(method);
      done += ' ' + settingsOf(values);
    };
  }
  static QString settingsOf(const ParameterValues& values) {
    QStringList words;
    for (const auto& [name, value] : values.map()) words << QString::fromStdString(name + "=" + format_value(value));
    return words.join(' ');
  }
  QStringList titles(const QString& typed) const {
    QStringList all;
    for (auto& entry : typedEntries(typed, targets))
      all << (entry.refused ? "! " : "") + entry.title.replace(QChar(0x202F), ' ');
    return all;
  }
  QString run(const QString& typed) {
    done.clear();
    const auto entries = typedEntries(typed, targets);
    if (!entries.empty() && entries.front().run) entries.front().run();
    return done;
  }
};

}  // namespace

class TypedEntriesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aParameterOfThePage() {
    Typed s("masks");
    QCOMPARE(s.titles("T 4096").front(), QString("Set T to 4 096"));
    QCOMPARE(s.run("T 4096"), QString("q_length=4096"));
    QCOMPARE(s.run("q_length=2M"), QString("q_length=2097152"));
    const auto entry = typedEntries("t 2M", s.targets).front();
    QCOMPARE(entry.name, QString("q_length"));
    QCOMPARE(entry.detail, QString("now 512"));
    QCOMPARE(entry.id, QString("typed:t 2M"));
  }

  void whatIsNotAllowedSaysWhy() {
    Typed s("masks");
    QCOMPARE(s.titles("T 0").front(), QString("! q_length is 0 but must be an integer from 1 to 2147483648"));
    QCOMPARE(s.run("T 0"), QString());
    Typed rotary("rotary");
    QCOMPARE(rotary.titles("factor 8").front(), QString("Set Factor to 8 with rope_type = linear"));
    QVERIFY(rotary.titles("factor 8").contains("! factor is not used while rope_type is default"));
    QCOMPARE(rotary.run("factor 8"), QString("factor=8 rope_type=linear"));
    rotary.targets.values.set("rope_type", std::string("yarn"));
    QCOMPARE(rotary.run("factor 8"), QString("factor=8"));
  }

  /// The text on screen is replaced by one mask, not by any that has a window.
  void theChoiceThatIsNamedAfterTheParameter() {
    Typed s("masks");
    s.targets.values.set("mask", std::string("custom"));
    QCOMPARE(s.titles("window 128").mid(0, 2), QStringList({"Set Window to 128 with mask = sliding_window",
                                                            "! sliding_window is not used while mask is custom"}));
  }

  void aParameterOfAnotherPage() {
    Typed s("masks");
    QCOMPARE(s.run("num_buckets 64"), QString("t5_bucket num_buckets=64"));
    QCOMPARE(typedEntries("num_buckets 64", s.targets).front().detail, QString("T5 bucket in Positions"));
    // A value that another one must allow brings it along.
    Typed start("start");
    QVERIFY(start.titles("factor 8").contains("Set Factor to 8 with rope_type = yarn"));
    QVERIFY(!start.titles("factor 8").front().startsWith("!"));
    QVERIFY2(start.run("factor 8").contains(" factor=8"), qPrintable(start.done));
    QVERIFY(start.titles("factor 0").front().startsWith("! factor is 0 but must be"));
  }

  void aMethodAtALength() {
    Typed s("masks");
    QCOMPARE(s.titles("rope 2M"), QStringList({"Open RoPE phase at T = 2 097 152", "Open RoPE cos at T = 2 097 152",
                                               "Open RoPE sin at T = 2 097 152"}));
    QCOMPARE(s.run("rope 2M"), QString("rope_phase q_length=2097152"));
    QCOMPARE(s.run("alibi 4096"), QString("alibi q_length=4096"));
    QCOMPARE(s.titles("alibi 0"), QStringList("! q_length is 0 but must be an integer from 1 to 2147483648"));
  }

  void plainWordsSetNothing() {
    Typed s("masks");
    for (const char* words : {"copy", "go to cell", "rope", "4096", "", "T", "  "})
      QCOMPARE(s.titles(words), QStringList());
  }
};

VQSCOPE_TEST(TypedEntriesTest)
#include "typed_entries_test.moc"
