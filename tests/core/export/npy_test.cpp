// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/npy.h"

#include "core/io/npy/npy_writer.h"
#include "tests/core/export/test_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cstring>

using namespace vqscope;
using namespace vqscope::test;

namespace {

template <class T>
std::vector<T> data_of(const std::string& file) {
  const std::size_t header = 10 + static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
  std::vector<T> values((file.size() - header) / sizeof(T));
  std::memcpy(values.data(), file.data() + header, values.size() * sizeof(T));
  return values;
}

bool has_text(const std::string& file, std::string_view text) { return file.find(text) != std::string::npos; }

}  // namespace

class NpyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void header_bytes() {
    const std::string header = npy_header("<i4", std::array<Index, 2>{4, 8});
    QCOMPARE(header.size() % 64, std::size_t{0});
    QCOMPARE(header.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    QVERIFY(header.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<i4', 'fortran_order': False, 'shape': (4, 8), } "));
    QCOMPARE(header.back(), '\n');
  }

  void cells_of_each_type() {
    const auto cell = [](Index row, Index col) { return static_cast<double>(row * 3 + col); };
    const std::string ints = text_of(field_numbers({2, 3}, CellType::int32, cell), NumberFormat::npy);
    QVERIFY(has_text(ints, "'<i4'") && has_text(ints, "(2, 3)"));
    QCOMPARE(data_of<std::int32_t>(ints), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));

    const auto third = [](Index row, Index col) { return (static_cast<double>(row + col)) / 3; };
    const std::string floats = text_of(field_numbers({1, 2}, CellType::float32, third), NumberFormat::npy);
    QVERIFY(has_text(floats, "'<f4'"));
    QCOMPARE(data_of<float>(floats), (std::vector<float>{0, 1.0f / 3}));

    const auto causal = [](Index row, Index col) { return row >= col; };
    const std::string bools = text_of(field_numbers({2, 2}, CellType::boolean, causal), NumberFormat::npy);
    QVERIFY(has_text(bools, "'|b1'"));
    QCOMPARE(data_of<std::uint8_t>(bools), (std::vector<std::uint8_t>{1, 0, 1, 1}));
  }

  /// T·T floats in a row, of a matrix of integers.
  void flat_and_float32() {
    auto numbers =
        field_numbers({2, 3}, CellType::int32, [](Index row, Index col) { return static_cast<double>(row * 3 + col); });
    numbers.npy = {.flat = true, .float32 = true};
    const std::string file = text_of(numbers, NumberFormat::npy);
    QVERIFY(has_text(file, "'<f4'") && has_text(file, "(6,)"));
    QCOMPARE(data_of<float>(file), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(estimated_bytes(numbers, NumberFormat::npy), static_cast<double>(file.size()));
  }

  void numbers_to_add_to_scores() {
    const auto causal = [](Index row, Index col) { return col <= row ? 1.0 : 0.0; };
    auto numbers = field_numbers({2, 2}, CellType::boolean, causal);
    numbers.npy = {.additive = AdditiveNpy{-HUGE_VALF}};
    QCOMPARE(data_of<float>(text_of(numbers, NumberFormat::npy)), (std::vector<float>{0, -HUGE_VALF, 0, 0}));
    numbers.npy = {.additive = AdditiveNpy{-65504, true}};
    const std::string halves = text_of(numbers, NumberFormat::npy);
    QVERIFY(has_text(halves, "'<f2'"));
    QCOMPARE(data_of<std::uint16_t>(halves), (std::vector<std::uint16_t>{0, 0xfbff, 0, 0}));
    QCOMPARE(estimated_bytes(numbers, NumberFormat::npy), static_cast<double>(halves.size()));
  }

  void curves_are_the_columns_of_the_csv() {
    const CurveSet set{.x_name = "x", .x = {1, 2}, .curves = {{"a", {3, 4}}, {"b", {5, 6}}}};
    const std::string file = text_of(curve_numbers(set), NumberFormat::npy);
    QVERIFY(has_text(file, "'<f8'") && has_text(file, "(2, 3)"));
    QCOMPARE(data_of<double>(file), (std::vector<double>{1, 3, 5, 2, 4, 6}));
  }

  void principal_curve_is_written_alone() {
    CurveSet set{.x_name = "pair", .x = {0, 1}, .curves = {{"inv_freq", {1, 0.5}}, {"wavelength", {6, 12}}}};
    set.principal = 0;
    const std::string file = text_of(curve_numbers(set), NumberFormat::npy);
    QVERIFY(has_text(file, "(2,)"));
    QCOMPARE(data_of<double>(file), (std::vector<double>{1, 0.5}));
  }

  void estimate_is_the_size() {
    const auto numbers = field_numbers({7, 9}, CellType::boolean, [](Index, Index) { return 1; });
    QCOMPARE(estimated_bytes(numbers, NumberFormat::npy), 128.0 + 63);
    QCOMPARE(text_of(numbers, NumberFormat::npy).size(), std::size_t{128 + 63});
    const CurveSet set{.x_name = "x", .x = {1, 2}, .curves = {{"a", {3, 4}}}};
    QCOMPARE(estimated_bytes(curve_numbers(set), NumberFormat::npy),
             static_cast<double>(text_of(curve_numbers(set), NumberFormat::npy).size()));
  }
};

VQSCOPE_TEST(NpyTest)
#include "npy_test.moc"
