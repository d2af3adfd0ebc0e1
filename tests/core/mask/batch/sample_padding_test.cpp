// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_padding.h"

#include "core/base/text.h"
#include "core/mask/batch/sample_documents.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace vqscope;

namespace {

/// Rows of 0 and 1 between blanks.
ImportedMask drawn_cells(const std::string& text) {
  ImportedRuns runs;
  Extent extent;
  for (const auto row : split(text, ' ')) {
    std::vector<KeyInterval> on;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto key = static_cast<std::uint32_t>(i);
      if (row[i] == '0') continue;
      if (!on.empty() && on.back().end == key)
        ++on.back().end;
      else
        on.push_back({key, key + 1});
    }
    runs.append(on);
    extent = {extent.rows + 1, static_cast<Index>(row.size())};
  }
  return {extent, std::move(runs)};
}

Result<std::vector<SamplePadding>> padding_of_list(const std::string& text) {
  return sample_padding(read_sample_array("attention_mask", text).value());
}

}  // namespace

class SamplePaddingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void padding_is_at_one_end() {
    const auto padding = padding_of_list("[[1,1,1],[0,1,1],[1,0,0],[0,0,0]]").value();
    QCOMPARE(padding[0], (SamplePadding{0, PaddingSide::right}));
    QCOMPARE(padding[1], (SamplePadding{1, PaddingSide::left}));
    QCOMPARE(padding[2], (SamplePadding{2, PaddingSide::right}));
    QCOMPARE(padding[3], (SamplePadding{3, PaddingSide::right}));
  }

  void other_rows_are_refused() {
    COMPARE_ERROR(padding_of_list("[[1,1],[1,2]]"),
                  "attention_mask: sample 1: token 1 is 2 but must be 1 for a real token and 0 for padding");
    COMPARE_ERROR(padding_of_list("1,0,1"),
                  "attention_mask: token 1 is 0 between ones, and padding must be at one end");
    COMPARE_ERROR(padding_of_list("0,1,0"),
                  "attention_mask: tokens 0 and 2 are 0 on both sides of ones, and padding must be at one end");
  }

  void rows_of_a_batch_and_rows_of_a_mask_data() {
    QTest::addColumn<std::string>("cells");
    QTest::addColumn<bool>("isAttentionMask");
    QTest::newRow("right padding") << std::string("1110 1111 1000") << true;
    QTest::newRow("left padding") << std::string("0011 1111") << true;
    QTest::newRow("both sides") << std::string("0011 1100 1111") << true;
    QTest::newRow("square batch") << std::string("110 111 100") << true;
    QTest::newRow("more samples than tokens") << std::string("10 11 11") << true;
    QTest::newRow("causal, cut to the first keys") << std::string("1000 1100 1110 1111 1111 1111") << false;
    QTest::newRow("an edge twice") << std::string("1000 1100 1110 1111 1100 1111") << true;
    QTest::newRow("one padded sample") << std::string("0111") << true;
    QTest::newRow("causal") << std::string("100 110 111") << false;
    QTest::newRow("inverted causal") << std::string("011 001 000") << false;
    QTest::newRow("last queries") << std::string("1110 1111") << false;
    QTest::newRow("prefix") << std::string("110 110 111") << false;
    QTest::newRow("chunks") << std::string("1100 1100 1111 1111") << false;
    QTest::newRow("padded encoder") << std::string("110 110 110") << false;
    QTest::newRow("window") << std::string("1000 1100 0110 0011") << false;
    QTest::newRow("causal with an empty row") << std::string("1000 1100 0000 1111") << false;
    QTest::newRow("causal with a row too long") << std::string("1000 1111 1110 1111") << false;
    QTest::newRow("inverted with padding") << std::string("0111 0011 0011 0011") << false;
    QTest::newRow("causal with padding") << std::string("1000 1100 1100 1100") << false;
    QTest::newRow("strictly causal") << std::string("0000 1000 1100 1110") << false;
    QTest::newRow("holes") << std::string("1011 1111") << false;
  }
  void rows_of_a_batch_and_rows_of_a_mask() {
    QFETCH(const std::string, cells);
    QFETCH(const bool, isAttentionMask);
    QCOMPARE(is_attention_mask(drawn_cells(cells)), isAttentionMask);
  }

  /// Masks of one sequence, plain or inverted, with padding columns and a few rows of another form
  /// that has one edge too.
  void damaged_masks_are_masks() {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
      const std::size_t length = 8 + random() % 24;
      const std::size_t real = length - random() % (length / 3);
      std::vector<std::string> rows;
      for (std::size_t q = 0; q < length; ++q) {
        const std::size_t seen = std::min(q + 1, real);
        rows.push_back(std::string(seen, '1') + std::string(length - seen, '0'));
      }
      for (std::size_t damage = random() % (length / 6 + 1); damage > 0; --damage) {
        const std::size_t seen = random() % (length + 1);
        rows[random() % length] = std::string(seen, '1') + std::string(length - seen, '0');
      }
      if (random() % 2 == 0)
        for (std::string& row : rows)
          for (char& cell : row) cell = cell == '1' ? '0' : '1';
      const std::string cells = join(rows, " ");
      QVERIFY2(!is_attention_mask(drawn_cells(cells)), cells.c_str());
    }
  }

  void random_batches_are_attention_masks() {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
      const std::size_t length = 12 + random() % 24;
      const std::size_t samples = round % 2 == 0 ? length : 2 + random() % 40;
      const bool left = random() % 2 == 0;
      std::vector<std::string> rows;
      for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::string real(1 + random() % length, '1');
        const std::string padding(length - real.size(), '0');
        rows.push_back(left ? padding + real : real + padding);
      }
      const std::string cells = join(rows, " ");
      QVERIFY2(is_attention_mask(drawn_cells(cells)), cells.c_str());
    }
  }

  /// Both ways to the padding agree for random batches.
  void matrix_and_array_agree() {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
      const Index samples = 2 + static_cast<Index>(random() % 5);
      std::string rows;
      std::string list;
      for (Index sample = 0; sample < samples; ++sample) {
        const std::size_t zeros = random() % 9;
        const std::string real(9 - zeros, '1');
        const std::string padding(zeros, '0');
        const std::string row = random() % 2 == 0 ? real + padding : padding + real;
        rows += (sample == 0 ? "" : " ") + row;
        list += sample == 0 ? "[[" : ",[";
        for (const char c : row) list += std::string(list.back() == '[' ? "" : ",") + c;
        list += "]";
      }
      const ImportedMask cells = drawn_cells(rows);
      if (is_attention_mask(cells)) QCOMPARE(sample_padding(cells), padding_of_list(list + "]").value());
    }
  }

  void documents_are_runs_of_ids() {
    const std::vector<Index> ids{4, 4, 0, 0, 0, -1};
    const auto documents = sample_documents(ids).value();
    QCOMPARE(documents.lengths, (std::vector<Index>{2, 3}));
    QCOMPARE(documents.padding, (SamplePadding{1, PaddingSide::right}));
    // Ids of padding are not looked at.
    const std::vector<Index> zeros{0, 0, 0, 1};
    QCOMPARE(sample_documents(zeros, {2, PaddingSide::left}).value().lengths, (std::vector<Index>{1, 1}));
    const std::vector<Index> none{-1, -1};
    QVERIFY(sample_documents(none).value().lengths.empty());
  }

  void documents_in_pieces_are_refused() {
    const std::vector<Index> pieces{0, 1, 0};
    COMPARE_ERROR(sample_documents(pieces), "token 2 is of document 0, which ended before token 1");
    const std::vector<Index> hole{0, -1, 0};
    COMPARE_ERROR(sample_documents(hole), "token 1 is -1, padding between real tokens");
    const std::vector<Index> both{-1, 0, -1};
    COMPARE_ERROR(sample_documents(both), "tokens 0 and 2 are padding on both sides of the documents");
  }
};

VQSCOPE_TEST(SamplePaddingTest)
#include "sample_padding_test.moc"
