// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// `parity A B`: exit status, texts, the page, and what is refused.
class ParityCommandTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    std::vector<float> one, two;
    for (int i = 0; i < 64; ++i) one.push_back(static_cast<float>(i % 7)), two.push_back(static_cast<float>(i % 5));
    for (const auto& [name, values] : {std::pair{"a.safetensors", one}, std::pair{"b.safetensors", two}}) {
      StringSink sink;
      QVERIFY(write_safetensors(std::vector<NamedTensor>{{"hidden_in", {1, 8, 8}, values}}, sink));
      writtenFile(m_folder, name, QByteArray::fromStdString(sink.text()));
    }
    writtenFile(m_folder, "none.npy", "nothing");
  }

  void equal_captures_end_with_0() {
    const auto outcome = runProgram(m_folder, {"parity", "a.safetensors", "a.safetensors"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.startsWith("equal: the captures are equal\n"));
  }

  void other_inputs_end_with_1() {
    const auto outcome =
        runProgram(m_folder, {"parity", "a.safetensors", "b.safetensors", "--json", "--out", "page.html"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 1);
    const auto answer = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(answer["verdict"].toString(), QString("differs"));
    QCOMPARE(answer["cause"].toObject()["id"].toString(), QString("inputs_differ"));
    QCOMPARE(answer["first"].toObject()["row"].toInt(), 0);
    const QByteArray page = contentOf(m_folder, "page.html");
    for (const char* text : {"what enters attention already differs", "The first difference", "B - A of hidden_in",
                             "The row of token 0 of hidden_in", "vqscope parity a.safetensors b.safetensors --json"})
      QVERIFY2(page.contains(text), text);
    // Layers, map and row, light and dark.
    QCOMPARE(page.count("data:image/svg+xml"), 6);
  }

  /// Three steps, of which the second differs; the third is never looked at.
  void steps_are_watched() {
    for (const QString folder : {"live_a", "live_b"}) {
      QVERIFY(QDir(m_folder.path()).mkdir(folder));
      for (const int step : {0, 1, 2}) {
        const bool other = folder == "live_b" && step > 0;
        writtenFile(m_folder, QString("%1/step%2_layer0.safetensors").arg(folder).arg(step),
                    contentOf(m_folder, other ? "b.safetensors" : "a.safetensors"));
      }
    }
    const auto outcome = runProgram(m_folder, {"parity", "live_a", "live_b", "--watch", "--timeout", "60"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.out.startsWith("step 0: equal\nstep 1: differs: "), outcome.out.constData());
    // Alone, the last step is not whole until capture.json is there.
    const auto same = runProgram(m_folder, {"parity", "live_a", "live_a", "--watch", "--timeout", "0"});
    QCOMPARE(same.out, QByteArray("step 0: equal\nstep 1: equal\n"));
    writtenFile(m_folder, "live_a/capture.json", R"({"format": 1})");
    const auto whole = runProgram(m_folder, {"parity", "live_a", "live_a", "--watch"});
    QCOMPARE(whole.out, QByteArray("step 0: equal\nstep 1: equal\nstep 2: equal\n"));
    QCOMPARE(whole.status, 0);
  }

  void refusals_data() {
    addRefusals({{{"parity", "a.safetensors"}, "parity needs two captures A and B: folders or files"},
                 {{"parity", "a", "b", "c"}, "parity expects two captures A and B, c is one too many"},
                 {{"parity", "a.safetensors", "b.safetensors", "--out", "x.txt"},
                  "--out is x.txt but must be a file named .html"}});
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ParityCommandTest)
#include "parity_command_test.moc"
