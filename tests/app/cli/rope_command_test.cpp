// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

/// `rope FILE`: tables of cos and sin are told, and what is no rotation is refused.
class RopeCommandTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    std::vector<double> cos, sin;
    for (int position = 5; position < 45; ++position)
      for (int pair = 0; pair < 16; ++pair) {
        cos.push_back(std::cos(position * std::pow(10000.0, -pair / 16.0)));
        sin.push_back(std::sin(position * std::pow(10000.0, -pair / 16.0)));
      }
    const std::vector<NamedTensor> tensors{{"cos", {40, 16}, cos}, {"sin", {40, 16}, sin}};
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(m_folder, "tables.safetensors", QByteArray::fromStdString(sink.text()));
  }

  void tables_are_told() {
    const auto text = runProgram(m_folder, {"rope", "tables.safetensors"});
    QCOMPARE(text.err, QByteArray());
    QVERIFY2(text.out.startsWith("RoPE of 16 pairs: default with theta 10000, positions 5 to 44\n"),
             text.out.constData());
    const auto json = runProgram(m_folder, {"rope", "tables.safetensors", "--cos", "cos", "--sin", "sin", "--json"});
    const auto answer = QJsonDocument::fromJson(json.out).object();
    QCOMPARE(answer["rope_type"].toString(), QString("default"));
    QCOMPARE(answer["rope_theta"].toDouble(), 10000.0);
    QCOMPARE(answer["positions"].toObject()["first"].toInt(), 5);
    QVERIFY(answer["undetermined"].toArray().contains("pair_layout"));
  }

  void refusals_data() {
    addRefusals({{{"rope"}, "rope needs a FILE with q and q_rot, k and k_rot, or cos and sin"},
                 {{"rope", "a.npz", "b.npz"}, "rope expects one FILE, a.npz and b.npz were given"},
                 {{"rope", "a.npz", "--before", "q"}, "--before and --after are given together"},
                 {{"rope", "a.npz", "--cos", "c"}, "--cos and --sin are given together"},
                 {{"rope", "tables.safetensors", "--batch", "1"}, "--batch is 1 but cos has 1 table"}});
  }
  void refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(RopeCommandTest)
#include "rope_command_test.moc"
