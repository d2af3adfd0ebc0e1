// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rules/capture_rules.h"
#include "core/lint/lint.h"
#include "core/session/session_json.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The first example of JSON in a page of the guide.
QByteArray jsonBlockOf(const QString& path) {
  QFile page(path);
  if (!page.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(page.readAll());
  return text.section("```json\n", 1, 1).section("```", 0, 0).toUtf8();
}

}  // namespace

class CheckTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cleanMaskHasNoFindings() {
    const auto outcome = checked({"--set", "q_length=8"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.out, QByteArray("0 errors, 0 warnings; 4 rules checked, 31 skipped\n"));
    QCOMPARE(outcome.status, 0);
  }

  void findingsAreLines() {
    const auto outcome = checked({"--set", "mask=bidirectional", "--set=q_length=6", "--objective", "causal"});
    QCOMPARE(outcome.out, QByteArray("error: future_visible: row 0 sees key 1: kv_pos 1 > q_pos 0, the objective is "
                                     "causal; 15 cells in all\n1 error, 0 warnings; 4 rules checked, 31 skipped\n"));
    QCOMPARE(outcome.status, 1);
  }

  /// Below a finding stands the comparison to change, below a question what to set; JSON has both.
  void answersAndFixesAreGiven() {
    const QString mask = writtenFile(m_folder, "packed.py",
                                     "document_id = [0] * 12 + [1] * 12 + [2] * 16\nWINDOW = 8\n\n"
                                     "def mask_mod(b, h, q_idx, kv_idx):\n"
                                     "    same = document_id[q_idx] == document_id[kv_idx]\n"
                                     "    return same & (kv_idx <= q_idx) & (q_idx - kv_idx <= WINDOW)\n");
    const QStringList given{"--mask", mask, "--set", "q_length=40"};
    const auto asked = checked(given);
    QVERIFY2(asked.out.contains("\n  set: --array document_lengths=12,12,16 --set window=9\n"), asked.out);
    const QString strided =
        writtenFile(m_folder, "strided.py", "return (kv_idx <= q_idx) & ((q_idx - kv_idx) % 2 == 0)");
    QVERIFY2(!checked({"--mask", strided, "--set", "q_length=8"}).out.contains("\n  set: "),
             "the objective is not known");
    const auto questions = QJsonDocument::fromJson(checked(given + QStringList{"--json"}).out)["questions"].toArray();
    QCOMPARE(questions.size(), 1);
    QCOMPARE(questions[0].toObject()["settings"].toObject(),
             (QJsonObject{{"document_lengths", QJsonArray{12, 12, 16}}, {"window", 9}}));
    QCOMPARE(questions[0].toObject()["alternatives"].toArray().first().toObject()["window"].toInt(), 8);
    const QStringList set{"--array", "document_lengths=12,12,16", "--set"};
    QCOMPARE(checked(given + set + QStringList{"window=9"}).status, 0);
    const auto wrong = checked(given + set + QStringList{"window=8"});
    QCOMPARE(wrong.status, 1);
    QVERIFY2(wrong.out.contains("\n  fix: line 6, column 55: write < in place of <=\n"), wrong.out);
    const auto findings =
        QJsonDocument::fromJson(checked(given + set + QStringList{"window=8", "--json"}).out)["findings"].toArray();
    QCOMPARE(findings[0].toObject()["fix"].toObject(),
             (QJsonObject{{"line", 6}, {"column", 55}, {"found", "<="}, {"replacement", "<"}}));
    const auto described = QJsonDocument::fromJson(jsonBlockOf(sourcePath("resources/docs/guide/lint.md")));
    QVERIFY(described.isObject());
    QCOMPARE(described["findings"][0].toObject().keys(), findings[0].toObject().keys());
    QCOMPARE(described["findings"][0]["fix"].toObject().keys(), findings[0].toObject()["fix"].toObject().keys());
    QCOMPARE(described["questions"][0].toObject().keys(), questions[0].toObject().keys());
  }

  void warningsCountWhenStrict() {
    const QStringList planes{"--set", "mask=padding", "--set", "padding_side=right",
                             "--set", "q_length=8",   "--set", "summed=true"};
    QCOMPARE(checked(planes).status, 0);
    QVERIFY(checked(planes).out.startsWith("warning: additive_overflow: row 0, key 7 is masked by causal and by"));
    QCOMPARE(checked(planes + QStringList{"--strict"}).status, 1);
  }

  /// A text that decides a mask is requested, and set like any other value.
  void decidingTextIsRequestedAndSet() {
    const QString mask =
        writtenFile(m_folder, "style.py",
                    "def by_kind(moment, style: str):\n    def mask(b, h, q_idx, kv_idx):\n"
                    "        if style == \"pair\":\n            return moment[q_idx] == moment[kv_idx]\n"
                    "        return kv_idx <= q_idx\n    return mask\n");
    const QStringList given{"--mask", mask, "--set", "q_length=4"};
    const auto without_value = checked(given);
    QCOMPARE(without_value.status, 2);
    QCOMPARE(without_value.err, "vqscope: " + mask.toUtf8() +
                                    QByteArray(", line 3, column 12: style decides this and has no value yet; "
                                               "give it, as pair or another text\n"
                                               "        if style == \"pair\":\n           ^^^^^\n"));
    QCOMPARE(checked(given + QStringList{"--set", "style=causal"}).status, 0);
    const QStringList pairs{"--set", "style=pair", "--array", "moment=0,0,1,1"};
    const auto pair = checked(given + pairs + QStringList{"--objective", "causal"});
    QCOMPARE(pair.status, 1);
    QVERIFY2(pair.out.contains("row 0 sees key 1"), pair.out);
    const auto row = runProgram(m_folder, QStringList{"row", "1"} + given + pairs);
    QVERIFY2(row.out.startsWith("Row 1 of 4 sees 2 of 4 keys: 0–1\n"), row.out);
    QCOMPARE(checked(given + QStringList{"--name", "mask", "--set", "style=causal"}).status, 0);
    QCOMPARE(checked(given + QStringList{"--name", "other", "--set", "style=causal"}).err,
             QByteArray("vqscope: the text has no mask other; its mask is by_kind\n"));
  }

  void noneIsTheValueOfAName() {
    const QString mask = writtenFile(m_folder, "none.py",
                                     "def make(window):\n    def mask(b, h, q_idx, kv_idx):\n"
                                     "        if window is None:\n            return kv_idx <= q_idx\n"
                                     "        return (kv_idx <= q_idx) & (q_idx - kv_idx < window)\n    return mask\n");
    const QStringList given{"row", "3", "--mask", mask, "--set", "q_length=4", "--set"};
    QVERIFY(runProgram(m_folder, given + QStringList{"window=None"}).out.startsWith("Row 3 of 4 sees 4 of 4 keys"));
    QVERIFY(runProgram(m_folder, given + QStringList{"window=2"}).out.startsWith("Row 3 of 4 sees 2 of 4 keys"));
  }

  /// The text's window frees a term; the same option without it is the expected window.
  void givenNameAddsATerm() {
    const QString mask = writtenFile(m_folder, "term.py",
                                     "def make(window=None):\n    def mask(b, h, q_idx, kv_idx):\n"
                                     "        seen = kv_idx <= q_idx\n        if window is not None:\n"
                                     "            seen = seen & (q_idx - kv_idx < window)\n        return seen\n"
                                     "    return mask\n");
    const QStringList given{"--mask", mask, "--set", "q_length=8", "--set", "window=4"};
    QCOMPARE(checked(given + QStringList{"--window", "4"}).status, 0);
    QCOMPARE(checked(given + QStringList{"--window", "3"}).status, 1);
  }

  /// Unknown inputs are requested, and are no findings.
  void questionsAreRequested() {
    const QStringList padded{"--set", "mask=padding", "--set", "q_length=8", "--strict"};
    const auto outcome = checked(padded);
    QVERIFY(outcome.out.startsWith("question: empty_row: row 0 sees no key and is padding;"));
    QVERIFY(outcome.out.contains("0 errors, 0 warnings, 1 question;"));
    QCOMPARE(outcome.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(checked(padded + QStringList{"--json"}).out).object();
    QCOMPARE(json["findings"].toArray().size(), 0);
    QCOMPARE(json["questions"].toArray().first().toObject()["rule"].toString(), QString("empty_row"));
    QCOMPARE(checked(padded + QStringList{"--set", "dialect=mha"}).status, 1);
    QCOMPARE(checked(padded + QStringList{"--set", "dialect=sdpa"}).out,
             QByteArray("0 errors, 0 warnings; 6 rules checked, 29 skipped\n"));
  }

  /// prefix_length is the mask's where it has one, else the lint settings'.
  void prefixLengthAppliesToMaskOrLint() {
    const QString mask = writtenFile(m_folder, "prefix.py", "(kv_idx < 3) | (kv_idx <= q_idx)");
    const QStringList text{"--mask", mask, "--set", "q_length=8", "--objective", "prefix"};
    QVERIFY(checked(text).out.startsWith("question: future_visible: the objective is prefix: set prefix_length"));
    QCOMPARE(checked(text + QStringList{"--set", "prefix_length=3"}).status, 0);
    QVERIFY(!checked(text + QStringList{"--set", "prefix_length=3"}).out.contains("question"));
    QCOMPARE(checked(text + QStringList{"--prefix", "2"}).status, 1);
    const QStringList preset{"--set", "mask=prefix_lm", "--set", "q_length=8", "--set", "prefix_length=3"};
    QCOMPARE(checked(preset).status, 0);
    QCOMPARE(checked(preset + QStringList{"--prefix", "4"}).status, 1);
  }

  /// The numbers of an additive file are its own.
  void numbersOfAFile() {
    const QString mask = writtenFile(m_folder, "additive.csv", "0,-1e30,-1e30\n0,0,-1e30\n0,0,0\n");
    QCOMPARE(checked({"--mask", mask}).status, 0);
    const auto half = checked({"--mask", mask, "--set", "dtype=float16"});
    QCOMPARE(half.status, 1);
    QVERIFY2(half.out.startsWith("error: masked_value: -1e+30 is -inf in float16"), half.out.constData());
    const QString mixed = writtenFile(m_folder, "mixed.csv", "0,-inf,-inf\n0,0,-inf\n1,0,0\n");
    QVERIFY(checked({"--mask", mixed}).out.contains("error: masked_value: the additive mask also holds 1:"));
  }

  /// Every command of the guide does what stands behind it.
  void guideCommandsGiveTheDescribedResult() {
    QFile guide(sourcePath("resources/docs/guide/lint.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    int count = 0;
    for (const QString& line : QString::fromUtf8(guide.readAll()).split('\n')) {
      if (!line.startsWith("vqscope check")) continue;
      const QStringList parts = line.split('#');
      if (parts.size() != 2) continue;
      const auto outcome = checked(QProcess::splitCommand(parts[0]).mid(2));
      QVERIFY2(outcome.status == parts[1].trimmed().toInt(), (line.toUtf8() + "\n" + outcome.out).constData());
      ++count;
    }
    QVERIFY(count > 8);
    const QByteArray rules = checked({"--list-rules"}).out;
    guide.seek(0);
    const QByteArray text = guide.readAll();
    for (const auto& spec : lint_parameters()) QVERIFY2(rules.contains(spec.name.c_str()), spec.name.c_str());
    for (const char* name : {"window_left", "span_ids", "labels_are", "cache_positions", "masked_value", "cu_seqlens"})
      QVERIFY2(text.contains(name), name);
  }

  void windowsArraysAndRules() {
    const QStringList window{"--set", "mask=sliding_window", "--set", "sliding_window=4", "--set", "q_length=9"};
    QCOMPARE(checked(window).status, 0);
    QCOMPARE(checked(window + QStringList{"--window=3"}).status, 1);
    QCOMPARE(checked(window + QStringList{"--window=3", "--rule", "future_visible"}).out,
             QByteArray("0 errors, 0 warnings; 1 rule checked, 0 skipped\n"));
    // Documents alone say how long the sequence is; 448 tokens fit beside the eighth that is
    // padding by default.
    QVERIFY2(checked({"--set", "mask=packed", "--array", "document_lengths=300,200"}).status == 0, "500 tokens");
    QVERIFY2(checked({"--set", "mask=padding", "--array", "document_lengths=448"}).status == 0, "512 tokens");
    const auto packed = checked({"--set", "mask=packed", "--set", "q_length=4", "--array", "document_lengths=2,2",
                                 "--array", "position_ids=0,1,2,3"});
    QVERIFY(packed.out.startsWith("error: packed_positions: key 2 begins document 1 but has position 2, expected 0"));
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
    QCOMPARE(json["rules"].toArray().size(), static_cast<qsizetype>(lint_rules().size()));
    QVERIFY(json["complete"].toBool());
  }

  void rulesAreListed() {
    const auto outcome = checked({"--list-rules"});
    QCOMPARE(outcome.status, 0);
    for (const auto& rule : lint_rules()) QVERIFY(outcome.out.contains((rule.id + "\n  " + rule.title).c_str()));
    QCOMPARE(QJsonDocument::fromJson(checked({"--list-rules", "--json"}).out)["rules"].toArray().size(),
             static_cast<qsizetype>(lint_rules().size() + capture_rules().size()));
  }

  void valuesOfASession() {
    Session session = default_session();
    set_value(*find_page(session, "masks"), "mask", std::string("bidirectional"));
    QVERIFY(write_session(session, m_folder.filePath("s.vqscope").toStdString()));
    QCOMPARE(checked({"--session", "s.vqscope"}).status, 0);
    QCOMPARE(checked({"--session", "s.vqscope", "--objective", "causal"}).status, 1);
  }

  void expectedMaskComesFromTheSession() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    set_value(page, "q_length", Index{6});
    page.lint.set("window", Index{3});
    QVERIFY(write_session(session, m_folder.filePath("w.vqscope").toStdString()));
    QVERIFY(checked({"--session", "w.vqscope"}).out.startsWith("error: window_off: row 3 sees key 0"));
    QCOMPARE(checked({"--session", "w.vqscope", "--window", "0"}).status, 0);
    page.lint.set("labels", std::vector<Index>{1, 2});
    QVERIFY(write_session(session, m_folder.filePath("l.vqscope").toStdString()));
    QCOMPARE(checked({"--session", "l.vqscope"}).err,
             QByteArray("vqscope: labels has 2 entries but must have q_length = 6\n"));
  }

  void assumedObjectivesAreNamed() {
    QCOMPARE(checked({"--set", "mask=custom", "--set", "q_length=8"}).out,
             QByteArray("0 errors, 0 warnings; 4 rules checked, 31 skipped; the objective is assumed to be causal\n"));
    QCOMPARE(checked({"--set", "mask=custom", "--set", "q_length=8", "--objective=causal"}).out,
             QByteArray("0 errors, 0 warnings; 4 rules checked, 31 skipped\n"));
  }

  void blockMasksOfOtherLengths() {
    const auto outcome = checked({"--set", "q_length=8", "--set", "block_mask_q_length=4"});
    QVERIFY(
        outcome.out.startsWith("error: block_mask_reuse: the block mask was created for 4 × 8 queries × keys and is "
                               "used with 8 × 8: "));
    QCOMPARE(outcome.status, 1);
  }

  /// `window` is a name that the text leaves free and one of the lint settings: --set is the
  /// mask's, --window the contract's.
  void freeNameSetsTheMask() {
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

  /// position_ids that a text indexes are those of the lint settings too.
  void listsApplyToMaskAndLint() {
    const QString mask = writtenFile(m_folder, "ids.py", "position_ids[kv_idx] <= position_ids[q_idx]");
    const auto refused = checked({"--mask", mask, "--set", "q_length=3", "--array", "position_ids=0,1"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("position_ids"), refused.err.constData());
    const auto fits = checked({"--mask", mask, "--set", "q_length=3", "--array", "position_ids=0,1,5"});
    QCOMPARE(fits.status, 1);
    QVERIFY2(fits.out.startsWith("error: position"), fits.out.constData());
  }

  void refusals_data() {
    addRefusals({
        {{"causal"}, "causal is a mask of this program, not a file: --set mask=causal"},
        {{"none.pt"}, "cannot read none.pt: No such file or directory"},
        {{"a.py", "--mask", "b.py"}, "check takes one FILE; a.py and b.py were given"},
        {{"a.py", "b.npz"}, "check takes one FILE; a.py and b.npz were given"},
        {{"--strickt"}, "unknown option --strickt; did you mean --strict?"},
        {{"--out", "a.csv"}, "unknown option --out"},
        {{"--window"}, "--window needs a value"},
        {{"--json=1"}, "--json takes no value"},
        {{"--window", "many"}, "window is many but must be an integer from -1 to 2147483648"},
        {{"--objective", "casual"},
         "objective is casual but must be one of automatic, causal, prefix, bidirectional, cross, causal_spans, "
         "block_causal, chunked; did you "
         "mean "
         "causal?"},
        {{"--rule", "future"}, "unknown rule future; did you mean future_visible? (see vqscope check --list-rules)"},
        {{"--set", "q_lenght=4"}, "unknown parameter q_lenght of visibility; did you mean q_length?"},
        {{"--set", "q_length=4", "--array", "labels=1,2"}, "labels has 2 entries but must have q_length = 4"},
        {{"--array", "window=4"}, "window is not an array; use --set"},
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
