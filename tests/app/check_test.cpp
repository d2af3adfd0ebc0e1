// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/contract.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/session/session_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class CheckTest : public QObject {
  Q_OBJECT

 private slots:
  void aCleanMask() {
    const auto outcome = checked({"--set", "q_length=8"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.out, QByteArray("0 errors, 0 warnings; 3 rules checked, 19 not asked\n"));
    QCOMPARE(outcome.status, 0);
  }

  void findingsAreLines() {
    const auto outcome = checked({"--set", "mask=bidirectional", "--set=q_length=6", "--objective", "causal"});
    QCOMPARE(outcome.out, QByteArray("error: future_visible: row 0 sees key 1: kv_pos 1 > q_pos 0, the objective is "
                                     "causal; 15 cells in all\n1 error, 0 warnings; 3 rules checked, 19 not asked\n"));
    QCOMPARE(outcome.status, 1);
  }

  void warningsCountWhenStrict() {
    const QStringList padded{"--set", "mask=padding", "--set", "q_length=8"};
    QCOMPARE(checked(padded).status, 0);
    QVERIFY(checked(padded).out.startsWith("warning: empty_row: row 0 sees no key and is padding;"));
    QCOMPARE(checked(padded + QStringList{"--strict"}).status, 1);
  }

  void windowsArraysAndRules() {
    const QStringList window{"--set", "mask=sliding_window", "--set", "sliding_window=4", "--set", "q_length=9"};
    QCOMPARE(checked(window).status, 0);
    QCOMPARE(checked(window + QStringList{"--window=3"}).status, 1);
    QCOMPARE(checked(window + QStringList{"--window=3", "--rule", "future_visible"}).out,
             QByteArray("0 errors, 0 warnings; 1 rule checked, 0 not asked\n"));
    const auto packed = checked({"--set", "mask=packed", "--set", "q_length=4", "--array", "document_lengths=2,2",
                                 "--array", "position_ids=0,1,2,3"});
    QVERIFY(packed.out.startsWith("error: packed_positions: key 2 begins document 1 but has position 2, wanted 0"));
    QCOMPARE(packed.status, 1);
  }

  void json() {
    const auto outcome =
        checked({"--set", "mask=bidirectional", "--set", "q_length=6", "--objective", "causal", "--json"});
    QCOMPARE(outcome.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(json["objective"].toString(), QString("causal"));
    QCOMPARE(json["shape"].toArray(), (QJsonArray{6, 6}));
    const QJsonObject finding = json["findings"].toArray().first().toObject();
    QCOMPARE(finding["rule"].toString(), QString("future_visible"));
    QCOMPARE(finding["severity"].toString(), QString("error"));
    QCOMPARE(finding["row"].toInt(), 0);
    QCOMPARE(finding["key"].toInt(), 1);
    QCOMPARE(finding["count"].toInt(), 15);
    QCOMPARE(finding["unit"].toString(), QString("cells"));
    QCOMPARE(json["rules"].toArray().size(), static_cast<qsizetype>(contract_rules().size()));
    QVERIFY(json["complete"].toBool());
  }

  void rulesAreListed() {
    const auto outcome = checked({"--list-rules"});
    QCOMPARE(outcome.status, 0);
    for (const auto& rule : contract_rules()) QVERIFY(outcome.out.contains((rule.id + "\n  " + rule.title).c_str()));
    QCOMPARE(QJsonDocument::fromJson(checked({"--list-rules", "--json"}).out)["rules"].toArray().size(),
             static_cast<qsizetype>(contract_rules().size()));
  }

  void valuesOfASession() {
    Session session = defaultSession();
    findWorkspace(session, "masks")->values.set("mask", std::string("bidirectional"));
    QVERIFY(writeSession(session, m_folder.filePath("s.vqscope")));
    QCOMPARE(checked({"--session", "s.vqscope"}).status, 0);
    QCOMPARE(checked({"--session", "s.vqscope", "--objective", "causal"}).status, 1);
  }

  void whatASessionStates() {
    Session session = defaultSession();
    auto& page = *findWorkspace(session, "masks");
    page.values.set("q_length", Index{6});
    page.contract.set("window", Index{3});
    QVERIFY(writeSession(session, m_folder.filePath("w.vqscope")));
    QVERIFY(checked({"--session", "w.vqscope"}).out.startsWith("error: window_off: row 3 sees key 0"));
    QCOMPARE(checked({"--session", "w.vqscope", "--window", "0"}).status, 0);
    page.contract.set("labels", std::vector<Index>{1, 2});
    QVERIFY(writeSession(session, m_folder.filePath("l.vqscope")));
    QCOMPARE(checked({"--session", "l.vqscope"}).err,
             QByteArray("vqscope: labels has 2 entries, must have q_length = 6\n"));
  }

  void assumedObjectivesAreSaid() {
    QCOMPARE(
        checked({"--set", "mask=custom", "--set", "q_length=8"}).out,
        QByteArray("0 errors, 0 warnings; 3 rules checked, 19 not asked; the objective is assumed to be causal\n"));
    QCOMPARE(checked({"--set", "mask=custom", "--set", "q_length=8", "--objective=causal"}).out,
             QByteArray("0 errors, 0 warnings; 3 rules checked, 19 not asked\n"));
  }

  void blockMasksOfOtherLengths() {
    const auto outcome = checked({"--set", "q_length=8", "--set", "block_mask_q_length=4"});
    QVERIFY(
        outcome.out.startsWith("error: block_mask_reuse: the block mask was made for 4 × 8 queries × keys and is "
                               "used with 8 × 8: "));
    QCOMPARE(outcome.status, 1);
  }

  /// `window` is a name that the text leaves free and one of the contract: --set is the mask's, --window the
  /// contract's.
  void aFreeNameIsTheMasks() {
    const QString mask = writtenFile(m_folder, "window.py", "(kv_idx <= q_idx) & (q_idx - kv_idx < window)");
    const QStringList set{"--mask", mask, "--set", "q_length=64", "--set", "window=16"};
    QCOMPARE(checked(set).status, 0);
    QCOMPARE(checked(set + QStringList{"--window", "16"}).status, 0);
    const auto typed = runProgram(m_folder, QStringList{"check", "--mask", "-"} + set.mid(2),
                                  [&](QProcess& process) { process.setStandardInputFile(mask); });
    QVERIFY2(typed.status == 0, "a text on standard input is read once");
    const auto off = checked(set + QStringList{"--window", "15"});
    QCOMPARE(off.status, 1);
    QVERIFY2(off.out.startsWith("error: window_off: row 15 sees key 0"), off.out.constData());
  }

  /// position_ids that a text indexes are those of the contract too.
  void aListIsOfTheMaskAndTheContract() {
    const QString mask = writtenFile(m_folder, "ids.py", "position_ids[kv_idx] <= position_ids[q_idx]");
    const auto told = checked({"--mask", mask, "--set", "q_length=3", "--array", "position_ids=0,1"});
    QCOMPARE(told.status, 2);
    QVERIFY2(told.err.contains("position_ids"), told.err.constData());
    const auto fits = checked({"--mask", mask, "--set", "q_length=3", "--array", "position_ids=0,1,5"});
    QCOMPARE(fits.status, 1);
    QVERIFY2(fits.out.startsWith("error: position"), fits.out.constData());
  }

  void refusals_data() {
    addRefusals({
        {{"causal"}, "check takes no causal, give options"},
        {{"--strickt"}, "unknown option --strickt; did you mean --strict?"},
        {{"--out", "a.csv"}, "unknown option --out"},
        {{"--window"}, "--window needs a value"},
        {{"--json=1"}, "--json takes no value"},
        {{"--window", "many"}, "window is many, must be an integer from -1 to 2147483648"},
        {{"--objective", "casual"},
         "objective is casual, must be one of automatic, causal, prefix, bidirectional, cross; did you mean causal?"},
        {{"--rule", "future"},
         "unknown rule future; did you mean future_visible? (vqscope check --list-rules shows all)"},
        {{"--set", "q_lenght=4"}, "unknown parameter q_lenght of visibility; did you mean q_length?"},
        {{"--set", "q_length=4", "--array", "labels=1,2"}, "labels has 2 entries, must have q_length = 4"},
        {{"--array", "window=4"}, "window is no array, give it with --set"},
        {{"--session", "none.vqscope"}, "none.vqscope: No such file or directory"},
    });
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(checked(arguments), message);
  }

 private:
  Outcome checked(const QStringList& arguments) const { return runProgram(m_folder, QStringList{"check"} + arguments); }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(CheckTest)
#include "check_test.moc"
