// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture.h"
#include "core/capture/store/capture_names.h"
#include "core/capture/store/capture_place.h"
#include "core/capture/store/fused_tensors.h"
#include "core/capture/store/layer_tensor.h"
#include "core/capture/store/tensor_summary.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

/// Folders of captures: names, orders of axes, and what is refused.
class CaptureTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static std::vector<double> counted(Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0.0);
    return values;
  }

  static void write(const QTemporaryDir& folder, const char* name, const std::vector<NamedTensor>& tensors) {
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(folder, name, QByteArray::fromStdString(sink.text()));
  }

  static Result<Capture> opened(const QTemporaryDir& folder, const char* name = "") {
    return Capture::open(folder.path().toStdString() + name);
  }

 private slots:
  void the_newest_step_is_opened() {
    const QTemporaryDir folder;
    for (const char* name : {"step1_layer00.safetensors", "step1_layer07.safetensors", "step2_layer07.safetensors"})
      write(folder, name, {{"q", {1, 2, 3, 4}, counted(24)}, {"unknown", {2}, counted(2)}});
    writtenFile(folder, "capture.json",
                R"({"format": 1, "engine": "e", "past": 3, "config": {"head_dim": 4}, "x": 1})");
    const auto capture = opened(folder);
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QCOMPARE(capture->step, Index{2});
    QCOMPARE(capture->layers.size(), std::size_t{1});
    QVERIFY(capture->find(7, TensorRole::q));
    QVERIFY(!capture->find(7, TensorRole::k));
    QCOMPARE(capture->info.past, Index{3});
    QCOMPARE(*sizes_of(*capture, 7).head_dim, Index{4});
  }

  void what_an_attention_function_was_given_is_rotated() {
    const QTemporaryDir folder;
    const QByteArray header =
        R"({"__metadata__":{"is_causal":"true"},"q":{"dtype":"F32","shape":[1,1,1,1],"data_offsets":[0,4]},)"
        R"("v":{"dtype":"F32","shape":[1,1,1,1],"data_offsets":[4,8]}})";
    const auto length = static_cast<char>(header.size());
    writtenFile(folder, "layer0.safetensors",
                QByteArray(1, length) + QByteArray(7, '\0') + header + QByteArray(8, '\0'));
    const auto capture = opened(folder);
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    QVERIFY(capture->find(0, TensorRole::q_rot) && capture->find(0, TensorRole::v) && !capture->find(0, TensorRole::q));
  }

  void what_is_no_capture_is_refused() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    QCOMPARE(opened(folder).error().message,
             path +
                 " holds no tensor of an attention layer: files layerNNN.safetensors with q, k, v, out and others, "
                 "or dumps of Hugging Face's model debugger, vLLM, SGLang or llama.cpp");
    write(folder, "layer0.safetensors", {{"q", {1, 1, 2, 2}, counted(4)}});
    writtenFile(folder, "capture.json", R"({"format": 2})");
    QCOMPARE(opened(folder).error().message, path + ": capture.json: format is 2 but only format 1 can be read");
    writtenFile(folder, "capture.json", R"({"past": -1})");
    QCOMPARE(opened(folder).error().message,
             path + ": capture.json: past is -1 but must be a whole number from 0 to 16777216");
  }

  void names_that_a_person_wrote() {
    const QTemporaryDir folder;
    const std::string map = folder.path().toStdString() + "/capture_names.json";
    write(folder, "dump.safetensors",
          {{"blk.7.query", {1, 1, 2, 2}, counted(4)}, {"seen", {2, 2}, counted(4)}, {"other", {2}, counted(2)}});
    writtenFile(folder, "capture_names.json",
                R"({"blk.{layer}.query": "q_rot", "seen": {"tensor": "mask", "layer": 3}})");
    for (const char* name : {"", "/dump.safetensors"}) {
      const auto capture = opened(folder, name);
      QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
      QCOMPARE(capture->layers.size(), std::size_t{2});
      QVERIFY(capture->find(7, TensorRole::q_rot) && capture->find(3, TensorRole::mask));
    }
    QVERIFY(find_capture(folder.path().toStdString()));
    writtenFile(folder, "capture_names.json", R"({"query": "q"})");
    QCOMPARE(
        opened(folder).error().message,
        map + ": query: the name must have {layer} where the number of the layer stands, or a \"layer\" from 0 on");
    writtenFile(folder, "capture_names.json", R"({"b{layer}": "Q"})");
    QCOMPARE(opened(folder).error().message,
             map +
                 ": b{layer}: the tensor is \"Q\" but must be one of hidden_in, q_proj, k_proj, q, k, v, q_rot, k_rot, "
                 "mask, bias, raw, scores, weights, out, hidden_out, position_ids, cos and sin");
    writtenFile(folder, "capture_names.json", "[]");
    QCOMPARE(opened(folder).error().message, map + " must be an object of names in braces");
  }

  void fused_rows_are_split_by_the_heads_of_the_config() {
    const QTemporaryDir folder;
    // 2 heads, 1 key head, 3 columns each: 6 of q, 3 of k, 3 of v.
    write(folder, "dump.safetensors", {{"model.layers.4.self_attn.qkv_proj", {5, 12}, counted(60)}});
    QVERIFY(!opened(folder));
    writtenFile(folder, "capture.json",
                R"({"config": {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 3}})");
    const auto capture = opened(folder);
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    const auto k = open_tensor(*capture, 4, TensorRole::k);
    QVERIFY(k && *k);
    const std::array<Index, 4> extent{1, 1, 5, 3};
    QCOMPARE((*k)->reading.extent, extent);
    std::vector<float> row(3);
    QVERIFY((*k)->read({Range{0, 1}, {0, 1}, {2, 3}, {0, 3}}, row));
    QCOMPARE(row, (std::vector<float>{30, 31, 32}));
    const auto summary = summary_of_tensor(*capture, 4, TensorRole::v, {});
    QVERIFY(summary);
    QCOMPARE(summary->largest, 59.0);
    QVERIFY(!fused_layer_of("model.layers.4.mlp.qkv_proj.weight"));
  }

  void orders_of_axes_data() {
    QTest::addColumn<QList<qlonglong>>("shape");
    QTest::addColumn<QString>("order");
    QTest::newRow("BHTd") << QList<qlonglong>{2, 3, 5, 4} << "[B, H, T, d]";
    QTest::newRow("BTHd") << QList<qlonglong>{2, 5, 3, 4} << "[B, T, H, d]";
    QTest::newRow("BTHd flat") << QList<qlonglong>{2, 5, 12} << "[B, T, H*d]";
    QTest::newRow("flat") << QList<qlonglong>{10, 12} << "[B*T, H*d]";
  }
  /// Element (1, 2, 3, 1) is found in every order.
  void orders_of_axes() {
    QFETCH(QList<qlonglong>, shape);
    QFETCH(QString, order);
    const QTemporaryDir folder;
    const std::vector<Index> sizes(shape.begin(), shape.end());
    write(folder, "q.safetensors", {{"q", sizes, counted(120)}});
    const auto capture = opened(folder, "/q.safetensors");
    QVERIFY(capture);
    const CapturedTensor& tensor = *capture->find(0, TensorRole::q);
    const auto numbers = StoredNumbers::open(tensor);
    QVERIFY(numbers);
    const CaptureSizes known{2, 3, 3, 4, 5, 5};
    const auto readings = readings_of(tensor, TensorRole::q, known, numbers->strides());
    QCOMPARE(readings.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(readings.front().order), order);
    const LayerTensor view{*numbers, readings.front()};
    std::vector<float> value(1), all(120);
    QVERIFY(view.read({Range{1, 2}, {2, 3}, {3, 4}, {1, 2}}, value));
    QVERIFY(view.read({Range{0, 2}, {0, 3}, {0, 5}, {0, 4}}, all));
    QCOMPARE(value[0], all[((1 * 3 + 2) * 5 + 3) * 4 + 1]);
    QCOMPARE(value[0], order == "[B, H, T, d]" ? 113.0F : 60 + 3 * 12 + 2 * 4 + 1.0F);
  }

  /// Without a config: the weights tell the heads of q, q their length, and that those of k.
  void flat_tensors_tell_each_other() {
    const QTemporaryDir folder;
    write(folder, "layer0.safetensors",
          {{"q", {2, 5, 24}, counted(240)}, {"k", {2, 5, 8}, counted(80)}, {"weights", {2, 6, 5, 5}, counted(300)}});
    const CaptureSizes sizes = sizes_of(*opened(folder), 0);
    QCOMPARE(sizes.head_dim.value_or(0), Index{4});
    QCOMPARE(sizes.key_heads.value_or(0), Index{2});
    write(folder, "layer0.safetensors", {{"q", {10, 24}, counted(240)}, {"k_rot", {2, 2, 5, 4}, counted(80)}});
    QCOMPARE(sizes_of(*opened(folder), 0).heads.value_or(0), Index{6});
  }

  void names_of_other_programs() {
    const auto debugger = foreign_tensor_of("LlamaForCausalLM.model.layers.13.self_attn.k_proj_outputs");
    QVERIFY(debugger && debugger->layer == 13 && debugger->role == TensorRole::k);
    const auto graph = foreign_tensor_of("kq_soft_max_ext-3");
    QVERIFY(graph && graph->layer == 3 && graph->role == TensorRole::weights);
    QVERIFY(!foreign_tensor_of("model.layers.x.self_attn"));
    QVERIFY(!foreign_tensor_of("model.norm"));
    QVERIFY(!layer_file_of("layer"));
    QVERIFY(!layer_file_of("step3layer1"));
    QCOMPARE(layer_file_of("step0012_layer003")->step, Index{12});
  }
};

VQSCOPE_TEST(CaptureTest)
#include "capture_test.moc"
