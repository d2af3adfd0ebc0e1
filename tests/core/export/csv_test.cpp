// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/csv.h"

#include "core/base/text.h"
#include "core/export/block_reader.h"
#include "tests/core/export/test_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Every cell of a CSV matrix, header row and first column left out.
std::vector<std::vector<double>> cells_of(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  const auto lines = split(trimmed(csv), '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto& row = rows.emplace_back();
    const auto cells = split(lines[i], ',');
    for (std::size_t j = 1; j < cells.size(); ++j) row.push_back(parse_real(cells[j]).value_or(-777));
  }
  return rows;
}

}  // namespace

class CsvTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_matrix() {
    const Method& method = matrix_method();
    auto values = default_values(method.parameters);
    values.set("q_length", Index{4});
    const auto numbers = make_numbers({&method, values, {}});
    QVERIFY(numbers);
    QCOMPARE(text_of(*numbers, NumberFormat::csv), std::string("query\\key,0,1,2,3\n"
                                                               "0,0,17,18,19\n"
                                                               "1,1,0,17,18\n"
                                                               "2,2,1,0,17\n"
                                                               "3,3,2,1,0\n"));
  }

  void block_keeps_its_indices() {
    const Method& method = matrix_method();
    const auto numbers = make_numbers({&method, default_values(method.parameters), Rect{{100, 102}, {98, 101}}});
    QVERIFY(numbers);
    QCOMPARE(text_of(*numbers, NumberFormat::csv), std::string("query\\key,98,99,100\n100,2,1,0\n101,3,2,1\n"));
  }

  void corner_names_rows_and_columns() {
    const auto corner = [](const Method& method, const char* columns) {
      auto values = default_values(method.parameters);
      values.set("columns", std::string(columns));
      return text_of(*make_numbers({&method, values, Rect{{0, 1}, {0, 1}}}), NumberFormat::csv);
    };
    QCOMPARE(corner(matrix_method(), "key"), std::string("query\\key,0\n0,0\n"));
    QCOMPARE(corner(matrix_method(), "dimension"), std::string("query\\dimension,0\n0,0\n"));
    Method plain = matrix_method();
    std::get<FieldRecipe>(plain.recipe).col_name = nullptr;
    QCOMPARE(corner(plain, "dimension"), std::string("query\\key,0\n0,0\n"));
  }

  void float_cells_are_shortest_and_round_trip() {
    const double cells[] = {0.1f, -0.0, 100000, 1e30, nan_value, infinity, -infinity, 16777216, 1.5e-39};
    const auto numbers = field_numbers({1, 9}, CellType::float32, [&](Index, Index col) { return cells[col]; });
    QCOMPARE(text_of(numbers, NumberFormat::csv),
             std::string("query\\key,0,1,2,3,4,5,6,7,8\n0,0.1,-0,100000,1e+30,nan,inf,-inf,16777216,1.5e-39\n"));
  }

  void booleans_are_0_and_1() {
    const auto numbers = field_numbers({2, 2}, CellType::boolean, [](Index row, Index col) { return row >= col; });
    QCOMPARE(text_of(numbers, NumberFormat::csv), std::string("query\\key,0,1\n0,1,0\n1,1,1\n"));
  }

  /// A row in several pieces, and several blocks of rows.
  void every_cell_equals_at_whatever_the_shape() {
    const auto cell = [](Index row, Index col) { return static_cast<double>(row * 1000003 + col); };
    for (const Extent extent : {Extent{2, BlockWalk::max_cells * 2 + 5}, Extent{300, 1000}, Extent{1, 1}}) {
      const auto rows = cells_of(text_of(field_numbers(extent, CellType::int32, cell), NumberFormat::csv));
      QCOMPARE(static_cast<Index>(rows.size()), extent.rows);
      for (Index row = 0; row < extent.rows; ++row) {
        const auto& read = rows[static_cast<std::size_t>(row)];
        QCOMPARE(static_cast<Index>(read.size()), extent.cols);
        for (Index col = 0; col < extent.cols; ++col)
          if (read[static_cast<std::size_t>(col)] != cell(row, col)) QFAIL("a cell differs");
      }
    }
  }

  void curves() {
    const CurveSet set{.x_name = "distance", .x = {1, 100000}, .curves = {{"a", {0.5, nan_value}}, {"b,c", {3, 4}}}};
    QCOMPARE(text_of(curve_numbers(set), NumberFormat::csv),
             std::string("distance,a,\"b,c\"\n1,0.5,3\n100000,nan,4\n"));
  }

  void text_cells() {
    QCOMPARE(csv_text("plain"), std::string("plain"));
    QCOMPARE(csv_text("a\"b"), std::string("\"a\"\"b\""));
    QCOMPARE(csv_text("=SUM(A1)"), std::string("'=SUM(A1)"));
  }

  void cancelled_and_full_disk() {
    const auto numbers = field_numbers({300, 1000}, CellType::int32, [](Index, Index) { return 7; });
    std::stop_source source;
    StringSink sink;
    const auto stopped =
        write_numbers(numbers, NumberFormat::csv, sink, {[&](double) { source.request_stop(); }, source.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
    QVERIFY(sink.text().size() < 600'000);
    for (const auto format : {NumberFormat::csv, NumberFormat::npy, NumberFormat::json}) {
      FullSink full(1000);
      const auto written = write_numbers(numbers, format, full);
      QVERIFY(!written && written.error().code == Errc::io);
    }
  }

  void progress_ascends_to_one() {
    double last = 0;
    bool ascends = true;
    StringSink sink;
    const auto numbers = field_numbers({3, BlockWalk::max_cells + 1}, CellType::int32, [](Index, Index) { return 7; });
    QVERIFY(write_numbers(numbers, NumberFormat::csv, sink,
                          {[&](double fraction) {
                             ascends = ascends && fraction > last;
                             last = fraction;
                           },
                           {}}));
    QVERIFY(ascends);
    QCOMPARE(last, 1.0);
  }

  void estimate_is_above_the_size() {
    const auto widest = [](Index, Index) { return static_cast<double>(-1.17549435e-38f); };
    for (const auto format : {NumberFormat::csv, NumberFormat::json}) {
      const auto numbers = field_numbers({11, 101}, CellType::float32, widest);
      const auto size = static_cast<double>(text_of(numbers, format).size());
      QVERIFY(estimated_bytes(numbers, format) >= size);
      QVERIFY(estimated_bytes(numbers, format) <= size * 1.15);
    }
  }

  void estimate_of_the_largest_matrix_does_not_overflow() {
    const Index side = Index{1} << 32;
    const auto numbers = field_numbers({side / 2, side}, CellType::int32, [](Index, Index) { return 1; });
    QCOMPARE(estimated_bytes(numbers, NumberFormat::npy), 36893488147419103232.0 + 128);
    QVERIFY(estimated_bytes(numbers, NumberFormat::csv) > 9.2e18);
  }

  void blocks_beyond_the_matrix_are_refused() {
    const auto refused = [](std::optional<Range> rows, std::optional<Range> cols) {
      const auto block = block_within({4, 8}, rows, cols);
      return block ? std::string() : block.error().message;
    };
    QCOMPARE(refused(Range{0, 5}, {}), std::string("rows 0:5 reach beyond the matrix, which has rows 0 to 3"));
    QCOMPARE(refused({}, Range{-1, 5}), std::string("cols -1:5 begin before the matrix, which has cols 0 to 7"));
    QCOMPARE(refused({}, Range{3, 3}), std::string("cols 3:3 are empty, the end must be above the beginning"));
    QCOMPARE(block_within({4, 8}, Range{1, 2}, {})->cols, (Range{0, 8}));
  }
};

VQSCOPE_TEST(CsvTest)
#include "csv_test.moc"
