// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/sample_values.h"

#include "core/lint/batch/read_batch.h"
#include "core/lint/lint_case.h"
#include "core/mask/batch/batch_members.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/method_list.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

SampleValues defaultSampleValues() {
  return {default_values(find_method(mask_methods(), "visibility")->parameters), default_values(lint_parameters())};
}

/// attention_mask [[1,1,1],[1,1,0]], labels [[4,5,6],[4,5,-100]] and prefix_length [1, 2].
std::string batchOfThree() {
  const std::string header = R"({"attention_mask":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]},)"
                             R"("labels":{"dtype":"I8","shape":[2,3],"data_offsets":[6,12]},)"
                             R"("logits":{"dtype":"U8","shape":[1],"data_offsets":[12,13]}})";
  return safetensors_file(header, std::string("\1\1\1\1\1\0\4\5\6\4\5\x9c\0", 13));
}

}  // namespace

class SampleValuesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void an_attention_mask_gives_length_and_padding() {
    const QTemporaryDir folder;
    const auto read = batchIn(folder, "m.npy", npy_array("|u1", {3, 4}, std::string("\1\1\1\1\1\1\0\0\0\1\1\1", 12)));
    QVERIFY(read.has_two_readings);
    QCOMPARE(read.sentence,
             std::string("m.npy [3, 4] is read as the attention_mask of 3 samples of 4 tokens, 1 for a real token"));
    QCOMPARE(read.batch.samples, Index{3});
    const auto second = with_sample(defaultSampleValues(), read.batch, 1, 0);
    QVERIFY(second);
    QCOMPARE(second->values.integer("q_length"), Index{4});
    QCOMPARE(second->values.integer("kv_length"), defaultSampleValues().values.integer("kv_length"));
    QCOMPARE(second->values.integer("padding"), Index{2});
    QCOMPARE(second->values.choice("padding_side"), std::string("right"));
    QCOMPARE(second->values.choice("mask"), std::string("causal"));
    const auto third = with_sample(*second, read.batch, 2, 0);
    QVERIFY(third);
    QCOMPARE(third->values.choice("padding_side"), std::string("left"));
    QVERIFY(!have_same_sample(second->values, third->values, read.batch));
    QVERIFY(without_sample(*second, read.batch) == without_sample(*third, read.batch));
  }

  void a_file_of_lists_gives_them_by_sample() {
    const QTemporaryDir folder;
    const auto read = batchIn(folder, "b.safetensors", batchOfThree());
    QCOMPARE(read.sentence, std::string("b.safetensors: took attention_mask, labels, left out logits, of 2 samples"));
    QVERIFY(!read.has_two_readings);
    const auto first = with_sample(defaultSampleValues(), read.batch, 0, 0);
    QVERIFY(first);
    QCOMPARE(first->stated.integers("labels"), (std::vector<Index>{4, 5, 6}));
    const auto second = with_sample(*first, read.batch, 1, 0);
    QVERIFY(second);
    QCOMPARE(second->stated.integers("labels"), (std::vector<Index>{4, 5, -100}));
    QCOMPARE(second->values.integer("padding"), Index{1});
  }

  void a_file_with_one_known_name_is_no_batch() {
    const QTemporaryDir folder;
    const std::string header = R"({"mask":{"dtype":"BOOL","shape":[1,1],"data_offsets":[0,1]},)"
                               R"("q":{"dtype":"U8","shape":[1,1],"data_offsets":[1,2]}})";
    QVERIFY(!is_batch_file(fileIn(folder, "m.safetensors", safetensors_file(header, std::string(2, '\1')))));
    QVERIFY(is_batch_file(fileIn(folder, "b.safetensors", batchOfThree())));
    QVERIFY(!is_batch_file(folder.filePath("none.npz").toStdString()));
  }

  void what_does_not_fit_is_refused() {
    const QTemporaryDir folder;
    const auto read = batchIn(folder, "m.npy", npy_array("|u1", {2, 4}, std::string("\1\1\0\0\0\0\0\0", 8)));
    const auto textOf = [&](Index sample, Index head) {
      const auto made = with_sample(defaultSampleValues(), read.batch, sample, head);
      return made ? std::string() : made.error().message;
    };
    QCOMPARE(textOf(1, 0), std::string("sample 1 is padding alone"));
    QCOMPARE(textOf(2, 0), std::string("sample 2 is not in the batch, which has 2 samples"));
    QCOMPARE(textOf(0, 1), std::string("head 1 is not in the batch, which has one head"));
    const auto wrong = read_batch(fileIn(folder, "w.safetensors", batchOfTwoLengths()), {});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().message.ends_with("labels has 2 tokens, but attention_mask has 3 tokens"),
             wrong.error().message.c_str());
  }

  /// Cells of another length give way to the default mask; those of the same length, to no labels.
  void cells_of_another_file_stay_where_they_fit() {
    const QTemporaryDir folder;
    const auto cells = batchIn(folder, "c.npy", npy_array("|b1", {2, 2, 2}, std::string("\1\0\1\1\1\1\1\1", 8)));
    const auto shown = with_sample(defaultSampleValues(), cells.batch, 1, 0);
    QVERIFY(shown);
    QCOMPARE(shown->values.choice("mask"), std::string("dump"));
    const auto padded = batchIn(folder, "m.npy", npy_array("|u1", {3, 4}, std::string("\1\1\1\1\1\1\0\0\0\1\1\1", 12)));
    const auto next = with_sample(*shown, padded.batch, 0, 0);
    QVERIFY(next);
    QCOMPARE(next->values.choice("mask"), std::string("causal"));
    QCOMPARE(next->values.integer("q_length"), Index{4});
  }

  /// attention_mask stands before the mask in the file: its padding counts all the same.
  void the_order_of_members_does_not_matter() {
    const QTemporaryDir folder;
    const std::string header = R"({"attention_mask":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]},)"
                               R"("mask":{"dtype":"BOOL","shape":[2,2,2],"data_offsets":[4,12]}})";
    const auto read =
        batchIn(folder, "b.safetensors", safetensors_file(header, std::string("\1\1\1\0\1\0\1\1\1\0\1\0", 12)));
    const auto second = with_sample(defaultSampleValues(), read.batch, 1, 0);
    QVERIFY(second);
    QCOMPARE(second->values.choice("mask"), std::string("dump"));
    QCOMPARE(second->values.integer("padding"), Index{1});
  }

  void a_former_batch_leaves_nothing() {
    const QTemporaryDir folder;
    const auto read = batchIn(folder, "b.safetensors", batchOfThree());
    const SampleValues before = defaultSampleValues();
    const auto second = with_sample(before, read.batch, 1, 0);
    QVERIFY(second);
    const SampleValues left = without_batch(*second, read.batch);
    QVERIFY(left.stated == before.stated);
    for (const char* name : {"padding", "padding_side", "document_lengths"})
      QVERIFY2(*left.values.find(name) == *before.values.find(name), name);
  }

  /// The padding of each row, against the row itself.
  void random_rows() {
    Random random(30);
    for (int round = 0; round < 50; ++round) {
      const Index samples = pick(random, 1, 6), tokens = pick(random, 7, 20);
      std::string cells;
      std::vector<Index> real;
      for (Index sample = 0; sample < samples; ++sample) {
        real.push_back(pick(random, 1, tokens));
        cells += std::string(static_cast<std::size_t>(real.back()), '\1') +
                 std::string(static_cast<std::size_t>(tokens - real.back()), '\0');
      }
      const QTemporaryDir folder;
      SampleBatchReader reader;
      QVERIFY(reader.take_array("attention_mask", arrayOf(samples, tokens, cells)));
      const SampleBatch batch = std::move(reader).finished();
      for (Index sample = 0; sample < samples; ++sample) {
        const auto made = with_sample(defaultSampleValues(), batch, sample, 0);
        QVERIFY(made);
        QCOMPARE(made->values.integer("padding"), tokens - real[static_cast<std::size_t>(sample)]);
      }
    }
  }

 private:
  static std::string fileIn(const QTemporaryDir& folder, const char* name, const std::string& bytes) {
    return writtenFile(folder, QString::fromLatin1(name), QByteArray::fromStdString(bytes)).toStdString();
  }

  static ReadBatch batchIn(const QTemporaryDir& folder, const char* name, const std::string& bytes) {
    auto read = read_batch(fileIn(folder, name, bytes), {});
    if (!read) qWarning("%s", read.error().message.c_str());
    return read ? *read : ReadBatch();
  }

  static std::string batchOfTwoLengths() {
    const std::string header = R"({"attention_mask":{"dtype":"U8","shape":[1,3],"data_offsets":[0,3]},)"
                               R"("labels":{"dtype":"I8","shape":[1,2],"data_offsets":[3,5]}})";
    return safetensors_file(header, std::string("\1\1\1\4\5", 5));
  }

  static SampleArray arrayOf(Index rows, Index columns, const std::string& cells) {
    return {{rows, columns}, std::vector<Index>(cells.begin(), cells.end())};
  }
};

VQSCOPE_TEST(SampleValuesTest)
#include "sample_values_test.moc"
