// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_rows.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Rows = std::vector<std::vector<double>>;

RunRows runs_of(const std::vector<double>& row) {
  RunRows runs;
  append_runs(row, runs);
  return runs;
}

/// Rows of numbers as a source of them.
ImportedRows source(ImportedCells cells, const Rows& rows) {
  return {cells,
          {static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows.front().size())},
          [rows](const auto& visit) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row)
              if (auto done = visit(static_cast<Index>(row), runs_of(rows[row]).row(0)); !done) return done;
            return {};
          }};
}

Result<ReadMask> imported(ImportedCells cells, const Rows& rows, const ImportOptions& options = {}) {
  return read_mask_rows(source(cells, rows), options);
}

/// Rows of # and dots.
std::string shown_cells(const Result<ReadMask>& made) {
  std::string text;
  const Mask& mask = *made->mask;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    if (q > 0) text += ' ';
    for (Index kv = 0; kv < mask.extent().cols; ++kv) text += mask.visible(q, kv) ? '#' : '.';
  }
  return text;
}

std::string import_warnings(const Result<ReadMask>& made) {
  std::string text;
  for (const auto& warning : made->reading.warnings) text += (text.empty() ? "" : " | ") + warning;
  return text;
}

const Rows causal_rows{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
const Rows future{{0, 1, 1}, {0, 0, 1}, {0, 0, 0}};

}  // namespace

class ImportedRowsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The type of cells decides how the same numbers are read.
  void kinds_of_numbers() {
    const auto kind = [](ImportedCells cells, const Rows& rows) { return imported(cells, rows).value().reading.kind; };
    QCOMPARE(kind(ImportedCells::boolean, causal_rows), ImportedKind::boolean);
    QCOMPARE(kind(ImportedCells::whole, causal_rows), ImportedKind::zero_one);
    QCOMPARE(kind(ImportedCells::text, causal_rows), ImportedKind::zero_one);
    QCOMPARE(kind(ImportedCells::real, causal_rows), ImportedKind::zero_one_float);
    QCOMPARE(kind(ImportedCells::grey, {{255, 0}, {255, 255}}), ImportedKind::image);
    QCOMPARE(kind(ImportedCells::whole, {{255, 0}, {255, 255}}), ImportedKind::zero_one);
    // A float of two is no truth value.
    QCOMPARE(kind(ImportedCells::real, {{2, 0}, {2, 2}}), ImportedKind::bias);
    QCOMPARE(kind(ImportedCells::real, {{0, 0}, {0, 0}}), ImportedKind::additive);
    QCOMPARE(kind(ImportedCells::text, {{0, 0}, {0, 0}}), ImportedKind::zero_one);
    QCOMPARE(kind(ImportedCells::real, {{0, -1000}, {0, 0}}), ImportedKind::additive);
    // Two numbers, as Swin's -100, which leaves no weight; a third one makes them biases.
    QCOMPARE(kind(ImportedCells::real, {{0, -100}, {0, 0}}), ImportedKind::additive);
    QCOMPARE(kind(ImportedCells::real, {{0, -99}, {0, 0}}), ImportedKind::bias);
    QCOMPARE(kind(ImportedCells::real, {{0, -999}, {0, -1}}), ImportedKind::bias);
    QCOMPARE(kind(ImportedCells::real, {{-1, -999}, {-1, -1}}), ImportedKind::bias);
    QCOMPARE(kind(ImportedCells::text, {{0, -HUGE_VAL}, {0, 0}}), ImportedKind::additive);
    QCOMPARE(kind(ImportedCells::real, {{-0.5, -65504}, {-1.5, -0.5}}), ImportedKind::bias);
  }

  void thresholds_and_reasons() {
    const auto reading = [](const Rows& rows, const ImportOptions& options = {}) {
      return imported(ImportedCells::real, rows, options).value().reading;
    };
    const ImportedReading additive = reading({{0, -10000}, {0, 0}});
    QCOMPARE(additive.threshold, -1000.0);
    COMPARE_TEXT(additive.why, "additive, 0 and numbers down to -10000: above -1000 is visible");
    COMPARE_TEXT(reading({{0, -100}, {0, 0}}).why, "additive, 0 and numbers down to -100: above -50 is visible");
    const ImportedReading bias = reading({{-0.5, -65504}, {-1.5, -0.5}});
    QCOMPARE(bias.threshold, -65504.0);
    COMPARE_TEXT(bias.why, "biases from -65504 to -0.5 with masked cells among them: above -65504 is visible");
    COMPARE_TEXT(reading({{-0.5, -1}, {-1.5, -0.5}}).why, "biases from -1.5 to -0.5: above -1000 is visible");
    QCOMPARE(reading({{-0.5, -1e38}, {-1.5, -0.5}}).threshold, -1e30);
    QCOMPARE(reading({{-0.5, -2000}, {-1.5, -0.5}}).threshold, -1000.0);
    QCOMPARE(reading({{-0.5, -2000}, {-1.5, -0.5}}, {.threshold = -1}).threshold, -1.0);
    COMPARE_TEXT(reading({{0, 0}, {0, 0}}).why, "additive, all 0: above -1000 is visible");
    COMPARE_TEXT(imported(ImportedCells::whole, {{3, 0}, {3, 3}}).value().reading.why.substr(0, 24),
                 "whole numbers, 0 and 3: ");
  }

  void cells_above_the_threshold() {
    COMPARE_TEXT(shown_cells(imported(ImportedCells::real, {{0, -10000, -10000}, {0, 0, -1e9}})), "#.. ##.");
    COMPARE_TEXT(shown_cells(imported(ImportedCells::real, {{-0.5, -8, -9}, {-1.5, -0.5, -9}}, {.threshold = -8})),
                 "#.. ##.");
    COMPARE_TEXT(shown_cells(imported(ImportedCells::grey, {{128, 127}, {255, 128}})), "#. ##");
  }

  /// No key after its query, each query's own key, and rows that would see nothing.
  void evidence_of_polarity() {
    const auto why = [](const Rows& rows) {
      const auto made = imported(ImportedCells::boolean, rows).value();
      return (made.reading.polarity == ImportedPolarity::visible_true ? "visible: " : "masked: ") + made.reading.why;
    };
    COMPARE_TEXT(why(causal_rows), "visible: boolean: true is visible, because no key after its query is true");
    COMPARE_TEXT(why(future), "masked: boolean: false is visible, because every key after its query is true");
    COMPARE_TEXT(why({{1, 1, 0}, {0, 1, 1}, {0, 1, 1}}),
                 "visible: boolean: true is visible, because 3 of 3 queries find their own key true");
    COMPARE_TEXT(why({{0, 0, 1}, {1, 0, 1}, {0, 1, 0}}),
                 "masked: boolean: false is visible, because 3 of 3 queries find their own key false");
    // A row of a ring, or before empty slots.
    COMPARE_TEXT(why({{1, 1, 0}}), "visible: boolean: true is visible, for want of evidence");
    // More queries than keys: none of them is known to stand at a key.
    COMPARE_TEXT(why({{1, 1}, {0, 0}, {1, 1}}), "visible: boolean: true is visible, for want of evidence");
    COMPARE_TEXT(why({{1, 1}, {0, 1}, {1, 1}}),
                 "visible: boolean: true is visible, because otherwise 2 of the queries would see no key");
  }

  void warnings() {
    COMPARE_TEXT(import_warnings(imported(ImportedCells::boolean, causal_rows)), "");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::real, {{0, 0}, {0, 0}})), "nothing is masked");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::real, {{-1e9, -1e9}, {-1e9, -1e9}})), "everything is masked");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::boolean, {{1, 1}, {0, 0}, {1, 1}})),
                 "nothing in the imported mask tells which value is visible");
    COMPARE_TEXT(
        import_warnings(imported(ImportedCells::boolean, causal_rows, {.polarity = ImportedPolarity::masked_true})),
        "the imported mask looks inverted: no key after its query is true");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::real, causal_rows)),
                 "a float mask of 0 and 1 is added to the scores by scaled_dot_product_attention, which masks nothing: "
                 "make it bool");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::grey, {{255, 17}, {255, 238}})),
                 "2 pixels are grey; 128 and up counts as white");
    COMPARE_TEXT(import_warnings(imported(ImportedCells::grey, {{255, 16}, {255, 239}})), "");
  }

  void requested_polarity_is_used() {
    const auto inverse = imported(ImportedCells::boolean, causal_rows, {.polarity = ImportedPolarity::masked_true});
    COMPARE_TEXT(shown_cells(inverse), ".## ..# ...");
    COMPARE_TEXT(inverse->reading.why, "boolean: false is visible, as asked for");
    COMPARE_TEXT(shown_cells(imported(ImportedCells::boolean, future)), "#.. ##. ###");
    // Additive imported masks have 0 visible always.
    COMPARE_TEXT(
        shown_cells(imported(ImportedCells::real, {{0, -1e9}, {0, 0}}, {.polarity = ImportedPolarity::masked_true})),
        "#. ##");
  }

  void a_mask_is_read_as_the_others_of_its_file() {
    const ImportedReading masked = imported(ImportedCells::boolean, future)->reading;
    const std::string evidence = "in 2 of 3 masks every key after its query is true";
    const auto all_false = *imported(ImportedCells::boolean, {{0, 0}, {0, 0}});
    const Result<ReadMask> read = read_as(all_false, masked, evidence);
    COMPARE_TEXT(shown_cells(read), "## ##");
    COMPARE_TEXT(read->reading.why, "boolean: false is visible, because " + evidence);
    QVERIFY(read->reading.decided == PolaritySource::guessed && read->reading.evidence == evidence);
    // Its own cells say the opposite.
    const Result<ReadMask> causal = read_as(*imported(ImportedCells::boolean, causal_rows), masked, evidence);
    COMPARE_TEXT(shown_cells(causal), ".## ..# ...");
    COMPARE_TEXT(import_warnings(causal), "the imported mask looks inverted: no key after its query is true");
    COMPARE_TEXT(import_warnings(read_as(*imported(ImportedCells::boolean, future), masked, evidence)), "");
    // Floats of 0 alone beside floats of 0 and 1; numbers that are added stay so.
    const ImportedReading floats = imported(ImportedCells::real, causal_rows)->reading;
    const Result<ReadMask> none = read_as(*imported(ImportedCells::real, {{0, 0}, {0, 0}}), floats, evidence);
    COMPARE_TEXT(shown_cells(none), ".. ..");
    QVERIFY(none->reading.kind == ImportedKind::zero_one_float);
    const Result<ReadMask> added = read_as(*imported(ImportedCells::real, {{0, -1e9}, {0, 0}}), floats, evidence);
    COMPARE_TEXT(shown_cells(added), "#. ##");
    QVERIFY(added->reading.kind == ImportedKind::additive);
  }

  void one_row_for_all_queries() {
    const auto made = imported(ImportedCells::boolean, {{1, 1, 0}}, {.q_length = 4});
    COMPARE_TEXT(shown_cells(made), "##. ##. ##. ##.");
    // One query alone may stand before keys of a cache that are not written yet: the polarity is
    // unknown.
    const auto alone = imported(ImportedCells::boolean, {{1, 1, 0}}).value();
    COMPARE_TEXT(shown_cells(alone), "##.");
    QCOMPARE(alone.reading.decided, PolaritySource::unknown);
    // Its own rows take precedence over the request.
    COMPARE_TEXT(shown_cells(imported(ImportedCells::boolean, causal_rows, {.q_length = 9})), "#.. ##. ###");
  }

  /// Few numbers are kept, many are biases.
  void numbers_of_an_additive_dump() {
    const auto numbers = [](ImportedCells cells, const Rows& rows) {
      const auto made = imported(cells, rows).value();
      return std::vector<double>(made.mask->numbers().begin(), made.mask->numbers().end());
    };
    QCOMPARE(numbers(ImportedCells::real, {{0, -10000}, {-10000, 0}}), (std::vector<double>{-10000}));
    QCOMPARE(numbers(ImportedCells::real, {{0, -1e9}, {-10000, -1e9}}), (std::vector<double>{-1e9, -10000}));
    QVERIFY(numbers(ImportedCells::real, causal_rows).empty());
    std::vector<double> sixteen{0}, seventeen{0};
    for (int i = 1; i <= 17; ++i) {
      if (i <= 16) sixteen.push_back(-1000 - i);
      seventeen.push_back(-1000 - i);
    }
    QCOMPARE(numbers(ImportedCells::real, {sixteen}).size(), std::size_t{16});
    QVERIFY(numbers(ImportedCells::real, {seventeen}).empty());
  }

  void faults_are_named() {
    COMPARE_ERROR(imported(ImportedCells::real, {{0, 0}, {0, std::nan("")}}),
                  "the cell of query 1, key 1 is nan, allowed are finite numbers and -inf");
    COMPARE_ERROR(imported(ImportedCells::real, {{HUGE_VAL, 0}}),
                  "the cell of query 0, key 0 is inf, allowed are finite numbers and -inf");
    COMPARE_ERROR(imported(ImportedCells::real, {}),
                  "the imported mask has 0 queries and 0 keys, allowed are 1 to 2147483648 of each");
    COMPARE_ERROR(imported(ImportedCells::boolean, causal_rows, {.q_length = -1}),
                  "q_length is -1, allowed are 0 to 2147483648");
  }

  /// Two rows that differ, of 3 and 2 intervals: 2 + 5. Equal rows are kept once.
  void segments_are_counted_as_they_are_kept() {
    const Rows striped{{1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}};
    QVERIFY(imported(ImportedCells::boolean, striped, {.most_intervals = 7}));
    const auto many = imported(ImportedCells::boolean, striped, {.most_intervals = 6});
    COMPARE_ERROR(many, "the imported mask has more than 6 visible stretches, which is more than is kept in memory");
    QCOMPARE(many.error().code, Errc::too_large);
    QVERIFY(imported(ImportedCells::boolean, Rows(1000, striped[0]), {.most_intervals = 4}));
    const auto copies = imported(ImportedCells::boolean, {{1, 0, 1}}, {.q_length = 1 << 30, .most_intervals = 3});
    QVERIFY(copies);
    QCOMPARE(copies->mask->extent(), (Extent{1 << 30, 3}));
    QCOMPARE(copies->mask->runs().size(), std::uint64_t{3});
  }

  void rows_are_bounded_before_they_are_read() {
    ImportedRows wide = source(ImportedCells::boolean, causal_rows);
    wide.extent = {1, (1 << 24) + 1};
    COMPARE_ERROR(read_mask_rows(wide, {}), "the imported mask has 16777217 keys, allowed are 1 to 16777216");
  }

  void a_stop_and_a_source_that_fails() {
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = imported(ImportedCells::boolean, causal_rows, {.stop = stop.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
    ImportedRows broken = source(ImportedCells::boolean, causal_rows);
    int times = 0;
    broken.each = [&times](const auto& visit) -> Result<void> {
      const RunRows row = runs_of({1, 0, 0});
      for (Index q = 0; q < 3; ++q)
        if (auto done = visit(q, row.row(0)); !done) return done;
      return ++times == 1 ? Result<void>(invalid("the disk is gone")) : Result<void>();
    };
    COMPARE_ERROR(read_mask_rows(broken, {}), "the disk is gone");
  }
};

VQSCOPE_TEST(ImportedRowsTest)
#include "imported_rows_test.moc"
