// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/batch/mask_reading.h"

#include "core/catalogue/registry.h"
#include "core/lint/lint_case.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class MaskReadingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// One row a sample: as an attention mask, and as a mask if the choice says so.
  void a_matrix_has_two_readings() {
    const QTemporaryDir folder;
    const std::string path =
        fileIn(folder, "m.npy", npy_array("|u1", {3, 4}, std::string("\0\0\0\0\1\1\0\0\1\1\1\1", 12)));
    const auto padded = read_for_choice({.file = path}, {}, {});
    QVERIFY2(padded, padded ? "" : padded.error().message.c_str());
    QVERIFY(padded->has_two_readings && padded->has_choice());
    QCOMPARE(padded->samples(), Index{3});
    QVERIFY2(padded->choice.sample == 1, "the first sample is padding alone");
    QCOMPARE(padded->choice.record.bytes, Index{128 + 12});
    const auto made = with_reading(defaultsOfMasks(), *padded);
    QVERIFY(made);
    QCOMPARE(made->values.integer("padding"), Index{2});
    const auto mask = read_for_choice({.file = path, .as_mask = true}, {}, {});
    QVERIFY(mask && !mask->batch && mask->has_two_readings);
    QCOMPARE(mask->samples(), Index{1});
    const auto cells = with_reading(defaultsOfMasks(), *mask);
    QVERIFY(cells);
    QCOMPARE(cells->values.choice("mask"), std::string("dump"));
    QCOMPARE(cells->values.integer("q_length"), Index{3});
  }

  /// Rows of padding with an axis of one query: of all queries, and of one if the choice says so.
  void a_row_of_each_sample_has_two_readings() {
    const QTemporaryDir folder;
    const std::string path = fileIn(folder, "m.npy", npy_array("|u1", {2, 1, 4}, std::string("\1\1\0\0\1\1\1\1", 8)));
    const auto padded = read_for_choice({.file = path}, {}, {});
    QVERIFY2(padded, padded ? "" : padded.error().message.c_str());
    QVERIFY(padded->has_two_readings && padded->batch);
    QCOMPARE(padded->samples_as_padding(), Index{2});
    QCOMPARE(padded->queries_as_mask(), Index{1});
    const auto made = with_reading(defaultsOfMasks(), *padded);
    QVERIFY(made);
    QCOMPARE(made->values.integer("q_length"), Index{4});
    const auto masks = read_for_choice({.file = path, .as_mask = true}, {}, {});
    QVERIFY(masks && masks->has_two_readings && masks->batch);
    QCOMPARE(masks->samples(), Index{2});
    const auto cells = with_reading(defaultsOfMasks(), *masks);
    QVERIFY(cells);
    QCOMPARE(cells->values.integer("q_length"), Index{1});
  }

  void samples_and_heads_are_chosen() {
    const QTemporaryDir folder;
    std::string cells(2 * 3 * 4, '\1');
    cells[2 * 4 + 1] = '\0';  // sample 0, head 2
    const std::string path = fileIn(folder, "m.npy", npy_array("|b1", {2, 3, 2, 2}, cells));
    const auto read = read_for_choice({.file = path}, {.batch = 0, .head = 2}, {});
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(read->batch);
    QCOMPARE(read->samples(), Index{2});
    QCOMPARE(read->heads(), Index{3});
    const auto first = with_reading(defaultsOfMasks(), *read);
    const auto other = with_reading(defaultsOfMasks(), with_choice(*read, 1, 2, {}));
    QVERIFY(first && other);
    QVERIFY(*first->values.find("mask_rows") != *other->values.find("mask_rows"));
    const auto beyond = with_reading(defaultsOfMasks(), with_choice(*read, 2, 0, {}));
    QVERIFY(!beyond);
    QCOMPARE(beyond.error().message, std::string("sample 2 is not in the batch, which has 2 samples"));
  }

  void a_text_has_nothing_to_choose() {
    const QTemporaryDir folder;
    const auto read = read_for_choice({.file = fileIn(folder, "a.py", "return kv_idx <= q_idx")}, {}, {});
    QVERIFY(read && read->is_text() && !read->has_choice());
    QCOMPARE(read->sentence, std::string("a mask written as code"));
  }

  void changes_of_a_file_are_named() {
    const QTemporaryDir folder;
    const auto before = read_for_choice(
        {.file = fileIn(folder, "m.npy", npy_array("|b1", {2, 2, 2}, std::string("\1\0\1\1\1\0\1\1", 8)))}, {}, {});
    const auto after = read_for_choice(
        {.file = fileIn(folder, "m.npy", npy_array("|b1", {2, 2, 2}, std::string("\1\0\1\0\1\0\1\1", 8)))}, {}, {});
    const auto more =
        read_for_choice({.file = fileIn(folder, "m.npy", npy_array("|b1", {3, 2, 2}, std::string(12, '\1')))}, {}, {});
    QVERIFY(before && after && more);
    QCOMPARE(reading_change(*before, *before), std::string());
    QVERIFY(reading_change(*before, *after).starts_with("1 cell"));
    QCOMPARE(reading_change(*before, with_choice(*more, 0, 0, {})), std::string("its samples or heads are others"));
  }

  void what_cannot_be_read_is_refused() {
    const QTemporaryDir folder;
    const auto none = read_for_choice({.file = folder.filePath("none.npy").toStdString()}, {}, {});
    QVERIFY(!none);
    QVERIFY(none.error().message.find("none.npy") != std::string::npos);
  }

 private:
  static std::string fileIn(const QTemporaryDir& folder, const char* name, const std::string& bytes) {
    return writtenFile(folder, QString::fromLatin1(name), QByteArray::fromStdString(bytes)).toStdString();
  }

  static SampleValues defaultsOfMasks() {
    return {default_values(find_method("visibility")->parameters), default_values(lint_parameters())};
  }
};

VQSCOPE_TEST(MaskReadingTest)
#include "mask_reading_test.moc"
