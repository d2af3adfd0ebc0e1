// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_runs.h"

#include "core/io/npy/stored_number.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// All rows of the last two dimensions of a file.
RunRows run_rows(const std::string& file) {
  const MemorySource source(file);
  const NpyHeader header = read_npy_header(source).value();
  const NpyPlane plane = npy_plane(header);
  RunRows rows;
  std::vector<char> bytes;
  const Index middle = plane.rows / 2;
  for (const Range part : {Range{0, middle}, Range{middle, plane.rows}})
    if (!read_npy_runs(source, header, plane, part, bytes, rows)) return {};
  return rows;
}

template <class T>
std::vector<T> random_values(Random& random, Index count, Index longest) {
  std::vector<T> values;
  while (std::ssize(values) < count) {
    const auto value = static_cast<T>(pick(random, 0, 1));
    for (Index i = pick(random, 1, longest); i > 0 && std::ssize(values) < count; --i) values.push_back(value);
  }
  return values;
}

/// Whether the runs are those of the numbers, each as long as it can be.
bool are_runs_of(const RunRows& rows, const std::vector<double>& values, std::size_t width) {
  RunRows expected;
  for (std::size_t at = 0; at < values.size(); at += width) {
    for (std::size_t i = 0; i < width; ++i) {
      const bool begins = i == 0 || values[at + i] != values[at + i - 1];
      if (begins) expected.runs.push_back({values[at + i], 0});
      expected.runs.back().end = static_cast<std::uint32_t>(i + 1);
    }
    expected.ends.push_back(expected.runs.size());
  }
  return rows.runs == expected.runs && rows.ends == expected.ends;
}

template <class T>
bool reads(const std::string& descr, Random& random) {
  for (const Index width : {1, 2, 8, 9, 31, 41, 300}) {
    const std::vector<T> values = random_values<T>(random, 4 * width, pick(random, 1, 200));
    const std::vector<double> numbers(values.begin(), values.end());
    const std::string bytes = bytes_of_values(values);
    if (!are_runs_of(run_rows(npy_array(descr, {4, width}, bytes)), numbers, static_cast<std::size_t>(width)))
      return false;
  }
  return true;
}

}  // namespace

class NpyRunsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const RunRows rows = run_rows(npy_array("<f4", {2, 4}, bytes_of_values<float>({0, 0, -1, -1, 5, 6, 6, 6})));
    QVERIFY((rows.runs == std::vector<ValueRun>{{0, 2}, {-1, 4}, {5, 1}, {6, 4}}));
    QCOMPARE(rows.ends, (std::vector<std::size_t>{2, 4}));
    QCOMPARE(rows.row(1).size(), std::size_t{2});
    QVERIFY((run_rows(npy_array(">i2", {1, 3}, std::string("\1\0\1\0\0\2", 6))).runs ==
             std::vector<ValueRun>{{256, 2}, {2, 3}}));
  }

  void every_size_and_length() {
    Random random(17);
    QVERIFY(reads<std::uint8_t>("|b1", random) && reads<std::int8_t>("|i1", random));
    QVERIFY(reads<std::int16_t>("<i2", random) && reads<std::int32_t>("<i4", random));
    QVERIFY(reads<std::int64_t>("<i8", random) && reads<float>("<f4", random) && reads<double>("<f8", random));
  }

  /// Columns that are apart in the file.
  void transposed_planes() {
    const std::string file = npy_array("<f4", {2, 3}, bytes_of_values<float>({1, 1, 1, 0, 0, 1}), true);
    QVERIFY((run_rows(file).runs == std::vector<ValueRun>{{1, 2}, {0, 3}, {1, 1}, {0, 2}, {1, 3}}));
  }

  void every_half() {
    for (std::uint32_t bits = 0; bits < 65'536; ++bits) {
      const double value = to_double(StoredHalf{static_cast<std::uint16_t>(bits)});
      const int exponent = static_cast<int>(bits >> 10 & 31);
      const int fraction = static_cast<int>(bits & 1023);
      const double sign = bits >> 15 != 0 ? -1 : 1;
      if (exponent == 31 && fraction != 0) {
        QVERIFY(std::isnan(value));
        continue;
      }
      const double expected = exponent == 31  ? HUGE_VAL
                              : exponent != 0 ? std::ldexp(1024 + fraction, exponent - 25)
                                              : std::ldexp(fraction, -24);
      QVERIFY(value == sign * expected && std::signbit(value) == (sign < 0));
    }
  }
};

VQSCOPE_TEST(NpyRunsTest)
#include "npy_runs_test.moc"
