// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
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

  void a_layer_of_a_capture_is_held_against_a_config() {
    std::vector<double> before, after;
    for (int head = 0; head < 2; ++head)
      for (int position = 0; position < 40; ++position)
        for (int column = 0; column < 32; ++column) {
          const auto number = [&](int at) { return 1 + 0.1 * ((7 * at + 3 * position + 5 * head) % 11); };
          const double turn = position * std::pow(10000.0, -(column % 16) / 16.0);
          const double other = number((column + 16) % 32);
          before.push_back(number(column));
          after.push_back(before.back() * std::cos(turn) + (column < 16 ? -other : other) * std::sin(turn));
        }
    StringSink sink;
    const std::vector<NamedTensor> tensors{{"q", {1, 2, 40, 32}, before}, {"q_rot", {1, 2, 40, 32}, after}};
    QVERIFY(write_safetensors(tensors, sink));
    QVERIFY(QDir(m_folder.path()).mkdir("capture"));
    writtenFile(m_folder, "capture/layer003.safetensors", QByteArray::fromStdString(sink.text()));
    const QByteArray config = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
                                  "max_position_embeddings": 4096, "rope_theta": %1})";
    writtenFile(m_folder, "capture/capture.json",
                R"({"format": 1, "config": )" + QByteArray(config).replace("%1", "500000") + "}");
    const auto text = runProgram(m_folder, {"rope", "capture", "--layer", "3"});
    QCOMPARE(text.err, QByteArray());
    QCOMPARE(text.status, 1);
    QVERIFY2(text.out.contains("RoPE of 32 columns, half_split: default with theta 10000, positions 0 to 39\n"),
             text.out.constData());
    QVERIFY2(text.out.contains("config: the tensors turn with theta 10000, the config says 500000\n"),
             text.out.constData());
    writtenFile(m_folder, "config.json", QByteArray(config).replace("%1", "10000"));
    const auto json = runProgram(m_folder, {"rope", "capture", "--config", "config.json", "--json"});
    QCOMPARE(json.status, 0);
    QVERIFY(QJsonDocument::fromJson(json.out).object()["config"].toObject()["agrees"].toBool());
    compareRefused(runProgram(m_folder, {"rope", "capture", "--layer", "4"}),
                   "vqscope: --layer is 4 but must be one of the 1 layers of capture, 3 to 3\n");
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
