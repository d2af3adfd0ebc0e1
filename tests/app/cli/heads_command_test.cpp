// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// `heads CAPTURE`: lines, CSV and JSON of two heads, and refusals; `check CAPTURE`.
class HeadsCommandTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Of 128 keys the one head has all weight on the first token, the other on the one before.
  void initTestCase() {
    constexpr Index keys = 128;
    std::vector<double> weights;
    for (Index head = 0; head < 2; ++head)
      for (Index query = 0; query < keys; ++query)
        for (Index key = 0; key < keys; ++key)
          weights.push_back(key == (head == 0 ? 0 : std::max(query - 1, Index{0})) ? 1 : 0);
    const std::vector<NamedTensor> tensors{{"weights", {1, 2, keys, keys}, weights}};
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(m_folder, "layer02.safetensors", QByteArray::fromStdString(sink.text()));
  }

  void heads_are_told() {
    const auto text = runProgram(m_folder, {"heads", "."});
    QCOMPARE(text.err, QByteArray());
    QCOMPARE(text.out, QByteArray("0 of 2 heads need more than 32 tokens\n"
                                  "1 sink (s), 1 previous (p)\n"
                                  "by 97 rows of a head, 128 keys, from weights\n"
                                  "no token ids were kept: induction and duplicate heads cannot be told\n"
                                  "layer   2  sp\n"));
    const auto csv = runProgram(m_folder, {"heads", ".", "--layer", "2", "--csv"});
    QCOMPARE(csv.out.count('\n'), 3);
    QVERIFY2(csv.out.contains("\n2,1,previous,0,0,1,,,0,0,2,"), csv.out.constData());
    const auto json = QJsonDocument::fromJson(runProgram(m_folder, {"heads", ".", "--json"}).out).object();
    QCOMPARE(json["heads"].toArray().at(0).toObject()["role"].toString(), QString("sink"));
  }

  /// Its rules have tests of their own.
  void its_capture_is_checked() {
    const auto text = runProgram(m_folder, {"check", "."});
    QCOMPARE(text.status, 0);
    QCOMPARE(text.out, QByteArray("0 errors, 0 warnings; 2 rules checked, 3 skipped\n"));
    const auto json = QJsonDocument::fromJson(runProgram(m_folder, {"check", ".", "--json"}).out).object();
    QCOMPARE(json["rules"].toArray().size(), 5);
    QCOMPARE(json["findings"].toArray(), QJsonArray());
  }

  void refusals_data() {
    addRefusals(
        {{{"heads"}, "heads needs a CAPTURE, a folder or a file"},
         {{"heads", ".", "--csv", "--json"}, "--csv and --json are two forms, one can be given"},
         {{"heads", ".", "--batch", "1"}, "--batch is 1 but layer 2 has 1 sample"},
         {{"heads", ".", "--layer", "3"}, "--layer is 3 but . has no attention weights, scores or q and k of it"}});
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(HeadsCommandTest)
#include "heads_command_test.moc"
