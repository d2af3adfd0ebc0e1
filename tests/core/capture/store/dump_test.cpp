// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture.h"
#include "core/capture/store/capture_names.h"
#include "core/capture/store/capture_place.h"
#include "core/capture/store/dump/dump_files.h"
#include "core/capture/store/layer_tensor.h"
#include "core/io/npy/npy_writer.h"
#include "tests/core/io/pickle/pickle_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr std::int64_t numbers = 64;

std::string counted_floats() {
  std::vector<float> values(numbers);
  std::iota(values.begin(), values.end(), 0.0F);
  return bytes_of_values(values);
}

/// The first numbers of the storage.
std::string tensor(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * shape[i + 1];
  return pickled_tensor(shape, strides, 0, numbers);
}

QByteArray torch_file(const std::string& value) {
  return QByteArray::fromStdString(torch_archive(pickled(value), counted_floats()));
}

std::string dictionary(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string opcodes = "}(";
  for (const auto& [key, value] : items) opcodes += pickled_text(key) + value;
  return opcodes + "u";
}

QByteArray value_file(const std::vector<std::int64_t>& shape) {
  return torch_file(dictionary({{"value", tensor(shape)}, {"meta", dictionary({{"name", pickled_text("x")}})}}));
}

}  // namespace

/// Dumps of other programs that are folders of folders, or one file a step or tensor.
class DumpTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  void write(const QString& name, const QByteArray& bytes) {
    QVERIFY(QDir(m_folder.path()).mkpath(QFileInfo(name).path()));
    writtenFile(m_folder, name, bytes);
  }

  Result<Capture> opened(const QString& name, std::optional<Index> step = {}) {
    return Capture::open((m_folder.path() + "/" + name).toStdString(), step);
  }

  QTemporaryDir m_folder;

 private slots:
  void hooks_of_sglang() {
    const std::string one =
        dictionary({{"model.layers.2.self_attn.qkv_proj", tensor({3, 8})},
                    {"model.layers.2.self_attn.rotary_emb", "(" + tensor({3, 4}) + tensor({3, 2}) + "l"},
                    {"model.layers.2.self_attn.attn", tensor({3, 4})},
                    {"model.forward_batch_info.positions", tensor({3})}});
    for (const char* pass : {"Pass00000.pt", "Pass00001.pt"})
      write(QString("sglang/TP0_PP0_Rank0_pid7/") + pass, torch_file(one));
    write("sglang/TP1_PP0_Rank1_pid8/Pass00000.pt", torch_file(one));
    write("sglang/capture.json", R"({"format": 1, "config": {"num_attention_heads": 2, "num_key_value_heads": 1}})");
    const auto capture = opened("sglang");
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QCOMPARE(capture->steps, (std::vector<Index>{0, 1}));
    for (const TensorRole role : {TensorRole::q, TensorRole::k, TensorRole::v, TensorRole::q_rot, TensorRole::k_rot,
                                  TensorRole::out, TensorRole::position_ids})
      QVERIFY2(capture->find(2, role), std::string(name_of(role)).c_str());
    QCOMPARE(capture->find(2, TensorRole::v)->first_column, Index{6});
    QCOMPARE(capture->find(2, TensorRole::k_rot)->shape, (std::vector<Index>{3, 2}));
    QVERIFY(QString::fromStdString(capture->remarks.front()).endsWith("sglang: of 2 ranks the first is read"));
    const std::string path = (m_folder.path() + "/sglang").toStdString();
    QVERIFY(find_capture(path));
    QVERIFY(find_capture(path + "/TP0_PP0_Rank0_pid7"));
  }

  void dumper_of_sglang() {
    const QString begin = "dumper/forward_pass_id=4___rank=%1___name=non_intrusive__model.layers.1.self_attn.attn.%2";
    write(begin.arg("0", "inputs.0___dump_index=1.pt"), value_file({3, 4}));
    write(begin.arg("0", "output___dump_index=2.pt"), value_file({3, 4}));
    write(begin.arg("1", "output___dump_index=2.pt"), value_file({3, 2}));
    write("dumper/forward_pass_id=4___rank=0___name=scores___layer_id=5.pt", value_file({1, 1, 2, 2}));
    const auto capture = opened("dumper");
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QCOMPARE(capture->step, Index{4});
    QVERIFY(capture->find(1, TensorRole::q_rot) && capture->find(5, TensorRole::scores));
    QCOMPARE(module_of_output("m.qkv_proj.output.0"), std::string("m.qkv_proj[0]"));
    QCOMPARE(module_of_output("m.output[1]"), std::string("m[1]"));
    QCOMPARE(module_of_output("m.output_gate"), std::string("m.output_gate"));
    QCOMPARE(capture->find(1, TensorRole::out)->shape, (std::vector<Index>{3, 4}));
    const auto opened_out = open_tensor(*capture, 1, TensorRole::out);
    QVERIFY(opened_out && *opened_out);
    QVERIFY(QString::fromStdString(capture->remarks.front()).endsWith("of several ranks, rank 0 is read"));
  }

  void steps_and_modules_of_vllm() {
    for (const char* step : {"step_3", "step_4"}) {
      const QString attention = QString("vllm/%1/model.layers.0.self_attn.attn/").arg(step);
      write(attention + "inputs_0_cuda_0.pt", torch_file(tensor({3, 4})));
      write(attention + "outputs_cuda_0.pt", torch_file(tensor({3, 4})));
      write(QString("vllm/%1/model.layers.0.self_attn.rotary_emb/outputs_1_cuda_0.pt").arg(step),
            torch_file(tensor({3, 2})));
    }
    const auto capture = opened("vllm", 3);
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QCOMPARE(capture->steps, (std::vector<Index>{3, 4}));
    QVERIFY(capture->find(0, TensorRole::q_rot) && capture->find(0, TensorRole::out));
    QVERIFY(capture->find(0, TensorRole::k_rot));
    QVERIFY(find_capture((m_folder.path() + "/vllm").toStdString()));
  }

  void iterations_of_tensorrt() {
    StringSink sink;
    QVERIFY(write_npy(std::vector<Index>{1, 2, 3}, std::vector<float>(6), sink, {}));
    write("tllm_debug/PP_0/TP_0/iteration_2/transformer.layers.5.attention.q.npy",
          QByteArray::fromStdString(sink.text()));
    const auto capture = opened("tllm_debug");
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QCOMPARE(capture->step, Index{2});
    QVERIFY(capture->find(5, TensorRole::q));
  }

  void steps_of_a_training_are_no_dump() {
    write("training/step_100/model.safetensors", "nothing");
    QVERIFY(!find_capture((m_folder.path() + "/training").toStdString()));
  }

  void names_within_a_module_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("name");
    QTest::newRow("input") << "inputs_2_cuda_0.pt"
                           << "m.inputs.2";
    QTest::newRow("only output") << "outputs_cuda_0.pt"
                                 << "m";
    QTest::newRow("an output") << "outputs_1_cuda_0.pt"
                               << "m[1]";
    QTest::newRow("its own name") << "q.npy"
                                  << "m.q";
  }
  void names_within_a_module() {
    QFETCH(QString, file);
    QFETCH(QString, name);
    QCOMPARE(QString::fromStdString(dump_file_of("step_0/m/" + file.toStdString(), "m").name), name);
  }
};

VQSCOPE_TEST(DumpTest)
#include "dump_test.moc"
