// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/glossary.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

QStringList found(const QString& words) {
  QStringList terms;
  for (const TermPlace& place : termsIn(words)) terms << words.mid(place.first, place.length);
  return terms;
}

}  // namespace

class GlossaryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void entriesOfAText() {
    const auto entries = glossaryOf(
        "# Title\n\n- **Key memory**: the newest keys\n  and values.\n- **A, b c** (`d_e`): text with `code`.\n"
        "- plain\n\n- **Lint**: checks. A **rule** has **findings**.\n");
    QCOMPARE(entries.size(), std::size_t{3});
    QCOMPARE(entries[0].terms, QStringList{"Key memory"});
    QCOMPARE(entries[0].definition, QString("Key memory: the newest keys and values."));
    QCOMPARE(entries[0].anchor, QString("term-key-memory"));
    QCOMPARE(entries[1].terms, QStringList({"A", "b c", "d_e"}));
    QCOMPARE(entries[1].definition, QString("A, b c (d_e): text with code."));
    QCOMPARE(entries[2].terms, QStringList({"Lint", "rule", "findings"}));
  }

  /// Every term has a kind and a place of its definition.
  void everyTermResolves() {
    QVERIFY(glossary().size() > 50);
    std::set<QString> anchors;
    for (const GlossaryEntry& entry : glossary()) {
      QVERIFY2(!entry.terms.isEmpty() && entry.definition.size() > 20, qPrintable(entry.definition));
      QVERIFY2(anchors.insert(entry.anchor).second, qPrintable(entry.anchor));
      for (const QString& term : entry.terms) {
        const auto places = termsIn("the " + term + ", too");
        if (isEverydayWord(term)) continue;
        QVERIFY2(places.size() == 1 && places.front().entry, qPrintable(term));
      }
    }
  }

  void termsInAText() {
    QCOMPARE(found("Each codebook has codewords; a Pair turns."), QStringList({"codebook", "Pair"}));
    QCOMPARE(found("Two buckets, many biases."), QStringList({"buckets", "biases"}));
    QCOMPARE(found("a repair of past_len"), QStringList({"past_len"}));
    QCOMPARE(found("The training length of the key memory"), QStringList({"training length", "key memory"}));
    QCOMPARE(found("file/pair.md and pair-wise"), QStringList());
    QCOMPARE(found("Read the field on this page."), QStringList());
    QCOMPARE(found(""), QStringList());
  }
};

VQSCOPE_TEST(GlossaryTest)
#include "glossary_test.moc"
