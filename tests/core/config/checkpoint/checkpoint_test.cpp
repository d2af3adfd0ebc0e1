// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint.h"

#include "tests/core/config/place/model_folder.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::string threeParts = R"({"metadata": {}, "weight_map": {"a": "model-00001-of-00003.safetensors",
  "b": "model-00002-of-00003.safetensors", "c": "model-00003-of-00003.safetensors"}})";

QString part(int number) { return QStringLiteral("model-0000%1-of-00003.safetensors").arg(number); }

}  // namespace

class CheckpointTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_single_file() {
    const ModelFolder folder;
    QVERIFY(read_checkpoint(folder.path()).is_empty());
    QVERIFY(folder.writeShapes("model.safetensors", {{"a", {2, 3}}, {"b", {4}}}));
    const Checkpoint all = read_checkpoint(folder.path());
    QCOMPARE(all.files, (std::vector<std::string>{"model.safetensors"}));
    QCOMPARE(all.tensors.size(), std::size_t{2});
    COMPARE_TEXT(all.tensors[0].name, "a");
    QCOMPARE(all.tensors[0].shape, (std::vector<Index>{2, 3}));
    QVERIFY(all.names_all());
  }

  void packed_weights_have_no_shape_of_the_model() {
    const ModelFolder folder;
    QVERIFY(folder.writeShapes("model.safetensors", {{"a", {2, 3}}}, "U16"));
    QVERIFY(!read_checkpoint(folder.path()).tensors.front().read);
    QVERIFY(folder.writeShapes("model.safetensors", {{"a", {2, 3}}}, "F16"));
    QVERIFY(read_checkpoint(folder.path()).tensors.front().read);
  }

  void missing_parts_keep_their_names() {
    const ModelFolder folder;
    QVERIFY(folder.write("model.safetensors.index.json", threeParts));
    QVERIFY(folder.writeShapes(part(1), {{"a", {2}}}));
    QVERIFY(folder.write(part(2), "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"));
    const Checkpoint all = read_checkpoint(folder.path());
    QCOMPARE(all.files, (std::vector<std::string>{part(1).toStdString()}));
    QCOMPARE(all.missing, (std::vector<std::string>{part(2).toStdString(), part(3).toStdString()}));
    QVERIFY(all.has_pointers && all.names_all());
    QCOMPARE(all.tensors.size(), std::size_t{3});
    QVERIFY(all.tensors[0].read && !all.tensors[1].read && !all.tensors[2].read);
  }

  void parts_without_an_index() {
    const ModelFolder folder;
    QVERIFY(folder.writeShapes(part(1), {{"a", {2}}}) && folder.writeShapes(part(3), {{"c", {2}}}));
    const Checkpoint all = read_checkpoint(folder.path());
    QCOMPARE(all.missing, (std::vector<std::string>{part(2).toStdString()}));
    QVERIFY(!all.names_all());
  }

  void formats_that_are_not_read() {
    const ModelFolder folder;
    QVERIFY(folder.write("tf_model.h5", "HDF") && folder.write("consolidated.00.pth", "PK"));
    QCOMPARE(read_checkpoint(folder.path()).unread, (std::vector<std::string>{"consolidated.00.pth", "tf_model.h5"}));
    QVERIFY(folder.write("pytorch_model.bin", "PK"));
    QCOMPARE(read_checkpoint(folder.path()).unread, (std::vector<std::string>{"pytorch_model.bin"}));
  }

  void damaged_files_are_sentences() {
    const ModelFolder folder;
    QVERIFY(folder.write("model.safetensors.index.json", threeParts));
    QVERIFY(folder.writeShapes(part(1), {{"x", {2}}}) && folder.write(part(2), "short"));
    QVERIFY(folder.writeShapes(part(3), {{"c", {2}}}));
    const Checkpoint all = read_checkpoint(folder.path());
    QCOMPARE(all.problems.size(), std::size_t{2});
    COMPARE_TEXT(all.problems[0],
                 "model-00001-of-00003.safetensors does not have 1 of the 1 tensors that the index names in it: a");
    COMPARE_TEXT(all.problems[1],
                 "model-00002-of-00003.safetensors is a text but must be a NumPy, safetensors or torch file");
    QVERIFY(!all.names_all());
  }

  void damaged_indexes_are_sentences_data() {
    QTest::addColumn<QByteArray>("index");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("empty") << QByteArray("{}")
                           << QByteArray("it has no weight_map, an object that names the file of each tensor");
    QTest::newRow("no text") << QByteArray("{") << QByteArray("line 1, column 2: the object is not closed");
    for (const char* file : {"\"../a\"", "3", "\"\"", "\"a/b\""})
      QTest::newRow(file) << QByteArray(R"({"weight_map": {"t": )") + file + "}}"
                          << QByteArray("line 1, column 22: tensor t is in ") + file +
                                 " but must be in a file of the same folder";
  }
  void damaged_indexes_are_sentences() {
    QFETCH(QByteArray, index);
    QFETCH(QByteArray, sentence);
    const ModelFolder folder;
    QVERIFY(folder.write("model.safetensors.index.json", index.toStdString()));
    const Checkpoint all = read_checkpoint(folder.path());
    QCOMPARE(all.problems.size(), std::size_t{1});
    QVERIFY2(all.problems[0].starts_with("model.safetensors.index.json: "), all.problems[0].c_str());
    if (index != "{") QVERIFY2(all.problems[0].ends_with(sentence.toStdString()), all.problems[0].c_str());
  }

  void weights_of_params() {
    const ModelFolder folder;
    QVERIFY(folder.writeShapes("consolidated.safetensors", {{"output.weight", {2, 3}}}));
    QVERIFY(read_checkpoint(folder.path()).is_empty());
    QCOMPARE(read_checkpoint(folder.path(), true).tensors.size(), std::size_t{1});
  }
};

VQSCOPE_TEST(CheckpointTest)
#include "checkpoint_test.moc"
