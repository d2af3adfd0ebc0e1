// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_reader.h"

#include "core/io/npy/npy_writer.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

template <class T>
Result<std::vector<T>> read_all(const std::string& file, std::uint64_t limit = 1000) {
  const MemorySource source(file);
  const auto header = read_npy_header(source);
  if (!header) return header.error();
  return read_npy<T>(source, *header, limit);
}

Result<NpyHeader> header_of(const std::string& file) { return read_npy_header(MemorySource(file)); }

Result<NpyHeader> header_with(const std::string& dictionary) { return header_of(npy_file(dictionary, "")); }

}  // namespace

class NpyReaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const std::string file = npy_array("<i4", {2, 3}, bytes_of_values<std::int32_t>({1, -2, 3, 4, 5, 6}));
    const auto header = header_of(file).value();
    QVERIFY((header.dtype == NpyDtype{NpyKind::signed_integer, 4, false}));
    QCOMPARE(header.shape, (std::vector<Index>{2, 3}));
    QVERIFY(!header.fortran);
    QCOMPARE(header.data_offset, std::uint64_t{128});
    COMPARE_TEXT(header.shape_text(), "(2, 3)");
    COMPARE_TEXT(header.dtype.name(), "int32");
    QCOMPARE(*read_all<Index>(file), (std::vector<Index>{1, -2, 3, 4, 5, 6}));
    QCOMPARE(*read_all<float>(file), (std::vector<float>{1, -2, 3, 4, 5, 6}));
  }

  void every_dtype_and_byte_order() {
    QCOMPARE(*read_all<Index>(npy_array("|b1", {3}, std::string("\0\1\1", 3))), (std::vector<Index>{0, 1, 1}));
    QCOMPARE(*read_all<Index>(npy_array("?", {1}, "\1")), (std::vector<Index>{1}));
    QCOMPARE(*read_all<Index>(npy_array("|i1", {2}, "\xff\x05")), (std::vector<Index>{-1, 5}));
    QCOMPARE(*read_all<Index>(npy_array("|u1", {1}, "\xff")), (std::vector<Index>{255}));
    QCOMPARE(*read_all<Index>(npy_array(">i2", {1}, "\xff\xfe")), (std::vector<Index>{-2}));
    QCOMPARE(*read_all<Index>(npy_array("<u2", {1}, "\xff\xfe")), (std::vector<Index>{0xfeff}));
    QCOMPARE(*read_all<Index>(npy_array(">u4", {1}, std::string("\0\0\1\2", 4))), (std::vector<Index>{258}));
    QCOMPARE(*read_all<Index>(npy_array("<i8", {1}, bytes_of_values<std::int64_t>({INT64_MIN}))),
             (std::vector<Index>{INT64_MIN}));
    QCOMPARE(*read_all<double>(npy_array("<f8", {2}, bytes_of_values<double>({0.1, -1e300}))),
             (std::vector<double>{0.1, -1e300}));
    QCOMPARE(*read_all<float>(npy_array(">f4", {1}, std::string("\x3f\x80\0\0", 4))), (std::vector<float>{1}));
    QCOMPARE(*read_all<double>(npy_array("<u8", {1}, std::string(8, '\xff'))), (std::vector<double>{0x1p64}));
  }

  void halves() {
    const auto half = [](std::uint16_t bits) {
      return (*read_all<double>(npy_array("<f2", {1}, bytes_of_values<std::uint16_t>({bits}))))[0];
    };
    QCOMPARE(half(0x3c00), 1.0);
    QCOMPARE(half(0xfbff), -65504.0);
    QCOMPARE(half(0x0001), std::ldexp(1, -24));
    QCOMPARE(half(0x3555), 0.333251953125);
    QCOMPARE(half(0xfc00), -std::numeric_limits<double>::infinity());
    QVERIFY(std::isnan(half(0x7e00)));
    QVERIFY(std::signbit(half(0x8000)));
  }

  void fortran_order_is_read_in_c_order() {
    const auto data = bytes_of_values<std::int16_t>({0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11});
    QCOMPARE(*read_all<Index>(npy_array("<i2", {2, 2, 3}, data, true)),
             (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  }

  void planes_and_rows_of_random_arrays() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      std::vector<Index> shape;
      for (Index n = pick(random, 0, 4); n > 0; --n) shape.push_back(pick(random, 1, 5));
      Index count = 1;
      for (const Index size : shape) count *= size;
      // Element number n in C order is n; written in the file's order.
      const bool fortran = pick(random, 0, 1);
      std::vector<std::int32_t> data(static_cast<std::size_t>(count));
      for (Index n = 0; n < count; ++n) {
        Index at = 0, rest = n, stride = count;
        for (std::size_t d = 0; d < shape.size(); ++d) {
          stride /= shape[d];
          at += rest / stride * (fortran ? fortran_stride(shape, d) : stride);
          rest %= stride;
        }
        data[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(n);
      }
      const std::string file = npy_array("<i4", shape, bytes_of_values(data), fortran);
      const auto all = *read_all<Index>(file);
      for (Index n = 0; n < count; ++n) QCOMPARE(all[static_cast<std::size_t>(n)], n);
      if (shape.size() < 2) continue;
      const MemorySource source(file);
      const auto header = *read_npy_header(source);
      std::vector<Index> leading;
      Index first = 0;
      for (std::size_t d = 0; d + 2 < shape.size(); ++d) {
        leading.push_back(pick(random, 0, shape[d] - 1));
        first = first * shape[d] + leading.back();
      }
      const NpyPlane plane = npy_plane(header, leading);
      const Index row = pick(random, 0, plane.rows - 1);
      const Range rows{row, pick(random, row, plane.rows)};
      std::vector<double> cells(static_cast<std::size_t>(rows.size() * plane.cols));
      QVERIFY(read_npy_rows(source, header, plane, rows, std::span(cells)));
      for (std::size_t c = 0; c < cells.size(); ++c)
        QCOMPARE(static_cast<Index>(cells[c]), (first * plane.rows + row) * plane.cols + static_cast<Index>(c));
    }
  }

  void written_file_is_read_back() {
    const std::string header = npy_header("<f4", std::array<Index, 2>{1, 2});
    QCOMPARE(*read_all<float>(header + bytes_of_values<float>({0.5F, -7})), (std::vector<float>{0.5F, -7}));
  }

  void versions_spellings_and_trailing_bytes() {
    QCOMPARE(*read_all<Index>(npy_file("{\"shape\":(2L,),'fortran_order':False,'descr':'=u1'}", "\3\4zzz", 2)),
             (std::vector<Index>{3, 4}));
    QCOMPARE(*read_all<Index>(npy_file("{'descr': '|u1', 'fortran_order': True, 'shape': (), }\n", "\7", 3)),
             (std::vector<Index>{7}));
    QCOMPARE(read_all<Index>(npy_array("<i8", {0, INT64_MAX}, "")).value().size(), std::size_t{0});
  }

  void faults_are_named() {
    COMPARE_ERROR(header_of(""), "not an NPY file: it does not begin with \\x93NUMPY");
    COMPARE_ERROR(header_of("PK\3\4 a zip"), "not an NPY file: it does not begin with \\x93NUMPY");
    COMPARE_ERROR(header_of("\x93NUMPY\1"), "the NPY file is cut short: its 7 bytes end within the header");
    COMPARE_ERROR(header_of(std::string("\x93NUMPY\7\0\1\0{}", 12)),
                  "the NPY format is version 7 but must be 1, 2 or 3");
    COMPARE_ERROR(header_of(npy_array("<i4", {1}, "1234").substr(0, 40)),
                  "the NPY file is cut short: its 40 bytes end within the header");
    COMPARE_ERROR(header_of(npy_array("<i4", {2, 3}, "1234")),
                  "the NPY file is cut short: shape (2, 3) of int32 needs 24 bytes of data, the file has 4");
    COMPARE_ERROR(
        header_with("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}"),
        "the NPY header names the dtype <c8 (complex64) but must be bool, int8 to int64, uint8 to uint64, float16, "
        "float32 or float64");
    COMPARE_ERROR(header_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
                  "the NPY header names the dtype structured but must be bool, int8 to int64, uint8 to uint64, "
                  "float16, float32 or float64");
    for (const char* descr : {"|O", "<f16", "<U4", "", "<", "<i3", "b2", "<f1", "<i4444444444444444444444"})
      QVERIFY2(!header_with("{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (1,)}"), descr);
    COMPARE_ERROR(header_with("{'descr': '<f4', 'fortran_order': False}"), "the NPY header has no entry 'shape'");
    COMPARE_ERROR(header_with("{'descr': '<f4', 'descr': '<f4'}"), "the NPY header has two entries 'descr'");
    COMPARE_ERROR(header_with("{'sneaky': 1}"),
                  "the NPY header has the unknown entry 'sneaky' but must be descr, fortran_order or shape");
    COMPARE_ERROR(header_with("{'shape': (-1,)}"),
                  "the NPY header is damaged: expected a size from 0 to 2^63 - 1 in shape before \"-1,)}\"");
    COMPARE_ERROR(header_with("__import__('os')"),
                  "the NPY header is damaged: expected a dictionary before \"__import__('os')\"");
    COMPARE_ERROR(header_with("{'fortran_order': 1}"),
                  "the NPY header is damaged: expected True or False for fortran_order before \"1}\"");
  }

  void sizes_that_overflow_are_refused() {
    COMPARE_ERROR(header_with("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"),
                  "the NPY file is cut short: shape (4294967296, 4294967296) of float64 needs more than 2^64 bytes of "
                  "data, the file has 0");
    COMPARE_ERROR(header_with("{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775808,)}"),
                  "the NPY header is damaged: expected a size from 0 to 2^63 - 1 in shape before \",)}\"");
    std::string many = "(";
    for (int i = 0; i < 33; ++i) many += "1, ";
    COMPARE_ERROR(header_with("{'descr': '|u1', 'fortran_order': False, 'shape': " + many + ")}"),
                  "the NPY header has more than 32 dimensions");
    std::string huge = npy_file("", "", 2);
    huge[10] = huge[11] = '\x70';
    huge.resize(std::size_t{64}, ' ');
    COMPARE_ERROR(header_of(huge), "the NPY file is cut short: its 64 bytes end within the header");
  }

  void values_that_do_not_fit() {
    COMPARE_ERROR(read_all<Index>(npy_array("<f4", {1}, "1234")),
                  "the array's dtype is float32 but must be bool or a whole-number dtype");
    COMPARE_ERROR(read_all<Index>(npy_array("<u8", {1}, std::string(8, '\xff'))),
                  "the array holds a uint64 above 2^63 - 1, which int64 does not hold");
    COMPARE_ERROR(read_all<float>(npy_array("|u1", {3, 4}, std::string(12, 'x')), 11),
                  "the array of shape (3, 4) has 12 elements, at most 11 are read");
  }

  void damaged_files_never_crash() {
    Random random(2);
    const std::string file = npy_array("<f2", {2, 3, 4}, std::string(48, '\x3c'), true);
    for (int i = 0; i < 20000; ++i) {
      std::string damaged = file;
      for (Index flips = pick(random, 1, 4); flips > 0; --flips)
        damaged[static_cast<std::size_t>(pick(random, 0, 175))] = static_cast<char>(pick(random, 0, 255));
      if (pick(random, 0, 3) == 0) damaged.resize(static_cast<std::size_t>(pick(random, 0, 175)));
      const auto values = read_all<double>(damaged);
      QVERIFY(values ? values->size() <= 1000 : !values.error().message.empty());
    }
  }

 private:
  static Index fortran_stride(const std::vector<Index>& shape, std::size_t dimension) {
    Index stride = 1;
    for (std::size_t d = 0; d < dimension; ++d) stride *= shape[d];
    return stride;
  }
};

VQSCOPE_TEST(NpyReaderTest)
#include "npy_reader_test.moc"
