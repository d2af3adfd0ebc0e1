// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/session/session_json.h"
#include "tests/app/program.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class DialectsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyBackendHasACard() {
    const auto outcome = dialects({"--set", "mask=sliding_window", "--set", "q_length=64", "--window=8"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 0);
    for (const auto& backend : backends()) QVERIFY(outcome.out.contains((backend.id + "  " + backend.title).c_str()));
  }

  void outputBeginsWithTheMask() {
    QVERIFY(dialects({"--set", "q_length=8"})
                .out.startsWith("This mask is causal; 8 queries, 8 keys; objective causal.\n\n"));
    const QString dilated = writtenFile(m_folder, "dilated.py", "(kv_idx <= q_idx) & ((q_idx - kv_idx) % 2 == 0)");
    QVERIFY(
        dialects({"--mask", dilated, "--set", "q_length=8"})
            .out.startsWith("This mask is causal, dilated by 2; 8 queries, 8 keys; objective causal (assumed).\n\n"));
    const QString any = writtenFile(m_folder, "any.py", "(q_idx * 7 + kv_idx * 5) % 11 < 5");
    QVERIFY(dialects({"--mask", any, "--set", "q_length=20"})
                .out.startsWith("This mask matches no named pattern; only backends that accept a dense mask can "
                                "express it; 20 queries, 20 keys; "
                                "objective causal (assumed).\n\n"));
    const auto window = dialects({"--set", "mask=sliding_window", "--set", "sliding_window=8", "--set", "q_length=64"});
    QVERIFY(window.out.contains("\nA window of 8 in other libraries\n"));
  }

  /// A part that a library cannot say is named, never "an arbitrary mask".
  void partsAreNamed() {
    const auto window = dialects({"--set", "mask=two_sided_window", "--set", "q_length=256"});
    QVERIFY2(window.out.startsWith("This mask is window 64 back and 64 ahead; 256 q"), window.out.constData());
    QVERIFY(window.out.contains("window 64 back and 64 ahead is (64, 64)"));
    QVERIFY(!window.out.contains("arbitrary"));
    const auto sinks = dialects({"--set", "mask=sinks_window", "--set", "q_length=256"});
    QVERIFY2(sinks.out.contains("cannot express: sinks 4; can express: causal, window 128"), sinks.out.constData());
    const QString blocks = writtenFile(m_folder, "blocks.py", "kv_idx // 2 <= q_idx // 2");
    const auto python = dialects({"--mask", blocks, "--set", "q_length=6", "--snippet", "xformers"});
    QVERIFY2(python.out.contains("q_seqlen=[2, 2, 2], kv_seqstarts=[0, 0, 0, 6], kv_seqlen=[2, 4, 6]"),
             python.out.constData());
    const auto splash = dialects({"--set", "mask=sliding_window", "--set", "q_length=12", "--set", "sliding_window=4"});
    QVERIFY(splash.out.contains("Splash LocalMask: 3"));
    const auto natten = dialects({"--set", "mask=natten", "--set", "q_length=1024", "--snippet", "flex_attention"});
    QVERIFY2(natten.out.contains("torch.clamp(q_idx % 32, 3, 28)"), natten.out.constData());
  }

  /// Backends use the recognised structure: documents that only the mask has become cu_seqlens.
  void recognisedStructureOverridesTheStatedOne() {
    const QString packed = writtenFile(m_folder, "packed.py", "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4)");
    const auto outcome = dialects({"--mask", packed, "--set", "q_length=12"});
    QVERIFY2(outcome.out.startsWith("This mask is causal, documents; 12 queries"), outcome.out.constData());
    const auto snippet = dialects({"--mask", packed, "--set", "q_length=12", "--snippet", "flash_attention"});
    QVERIFY2(snippet.out.contains("q_lengths = [4, 4, 4]"), snippet.out.constData());
    QVERIFY(
        dialects({"--set", "q_length=8", "--objective", "bidirectional"}).out.startsWith("This mask is causal; 8 q"));
  }

  void alignmentFollowsTheLengths() {
    const auto outcome = dialects({"--set", "mask=decode", "--set", "q_length=2", "--set", "past_len=6"});
    const auto extent = Extent{2, 8};
    for (const auto& backend : backends())
      if (backend.alignment != CausalAlignment::none)
        QVERIFY(outcome.out.contains(("causal flag: " + alignment_text(backend, extent)).c_str()));
  }

  void json() {
    const auto outcome = dialects({"--set", "mask=prefix_lm", "--set", "q_length=16", "--json"});
    QCOMPARE(outcome.status, 0);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(json["mask"].toString(), QString("prefix 4"));
    QCOMPARE(json["objective"].toString(), QString("prefix"));
    QCOMPARE(json["objective_assumed"].toBool(true), false);
    QCOMPARE(json["shape"].toArray(), (QJsonArray{16, 16}));
    const QJsonArray all = json["dialects"].toArray();
    QCOMPARE(all.size(), static_cast<qsizetype>(backends().size()));
    for (const auto& each : all) {
      const QJsonObject backend = each.toObject();
      QCOMPARE(backend["says_all"].toBool(), backend["cannot"].toArray().isEmpty());
      QCOMPARE(backend["alignment_difference"].isNull(), backend["alignment"].toString() == "none");
    }
  }

  void snippets() {
    const QStringList mask{"--set", "mask=packed", "--set", "q_length=16"};
    const auto python = dialects(mask + QStringList{"--snippet", "sdpa"});
    QCOMPARE(python.status, 0);
    QVERIFY(python.out.contains("scaled_dot_product_attention("));
    const auto json = dialects(mask + QStringList{"--snippet", "sdpa", "--json"});
    const QJsonObject object = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(object["id"].toString(), QString("sdpa"));
    QCOMPARE(object["snippet"].toString().toUtf8(), python.out);
  }

  /// Values set in the window apply here too.
  void valuesOfASession() {
    Session session = default_session();
    auto& page = *find_page(session, "masks");
    set_value(page, "q_length", Index{8});
    page.lint.set("objective", std::string("bidirectional"));
    QVERIFY(write_session(session, m_folder.filePath("s.vqscope").toStdString()));
    QVERIFY(dialects({"--session", "s.vqscope"}).out.contains("objective bidirectional."));
    QVERIFY(dialects({"--session", "s.vqscope", "--objective", "causal"}).out.contains("objective causal."));
  }

  void refusals_data() {
    addRefusals({
        {{"sdpa"}, "unexpected argument \"sdpa\": vqscope dialects takes options only"},
        {{"--snippet", "sdpaa"}, "unknown dialect sdpaa; did you mean sdpa? (vqscope dialects shows all)"},
        {{"--snippet"}, "--snippet needs a value"},
        {{"--jsn"}, "unknown option --jsn; did you mean --json?"},
        {{"--objective", "casual"},
         "objective is casual but must be one of automatic, causal, prefix, bidirectional, cross, causal_spans, "
         "block_causal, chunked; did you "
         "mean causal?"},
        {{"--set", "q_lenght=4"}, "unknown parameter q_lenght of visibility; did you mean q_length?"},
    });
  }

  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(dialects(arguments), message);
  }

  void help() { QVERIFY(dialects({"--help"}).out.contains("--snippet ID")); }

 private:
  Outcome dialects(const QStringList& arguments) const {
    return runProgram(m_folder, QStringList{"dialects"} + arguments);
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(DialectsTest)
#include "dialects_test.moc"
