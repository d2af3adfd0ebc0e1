// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_writer.h"

#include "core/io/npy/npy_reader.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Takes that many writes, and no more.
class SmallSink : public ByteSink {
 public:
  explicit SmallSink(int writes) : m_writes(writes) {}
  Result<void> write(std::string_view) override {
    if (m_writes-- > 0) return {};
    return Error{Errc::io, "the disk is full"};
  }

 private:
  int m_writes;
};

}  // namespace

class NpyWriterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// numpy.lib.format, version 1.0: magic, version, a length of two bytes, the dictionary, blanks
  /// and a line break.
  void a_header_by_hand() {
    const std::string header = npy_header("<f4", std::array<Index, 2>{2, 3});
    std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    dictionary.resize(117, ' ');
    COMPARE_TEXT(header, std::string("\x93NUMPY\1\0\x76\0", 10) + dictionary + "\n");
  }

  void one_dimension_and_none_are_tuples_too() {
    QVERIFY(npy_header("|b1", std::array<Index, 1>{5}).find("'shape': (5,), }") != std::string::npos);
    QVERIFY(npy_header("<i4", {}).find("'shape': (), }") != std::string::npos);
  }

  /// A dictionary of exactly as many bytes as are free needs no blank; one more needs another 64
  /// bytes.
  void the_data_begin_at_a_multiple_of_64() {
    for (Index size = 1, digits = 1; digits < 19; ++digits, size *= 10) {
      for (std::size_t dimensions = 0; dimensions < 8; ++dimensions) {
        const std::vector<Index> shape(dimensions, size);
        const std::string header = npy_header("<f4", shape);
        QCOMPARE(header.size() % 64, std::size_t{0});
        QCOMPARE(header.back(), '\n');
        QCOMPARE(header.find('\n'), header.size() - 1);
        QVERIFY2(header.find("}" + std::string(64, ' ')) == std::string::npos, "no more blanks than needed");
      }
    }
  }

  void values_lie_behind_it_as_they_are() {
    StringSink sink;
    const std::vector<float> values{0.5F, -7, 3};
    QVERIFY(write_npy(std::array<Index, 1>{3}, values, sink, {}));
    COMPARE_TEXT(sink.text(), npy_header("<f4", std::array<Index, 1>{3}) + bytes_of_values(values));
  }

  void empty_array() {
    StringSink sink;
    QVERIFY(write_npy(std::array<Index, 2>{0, 4}, {}, sink, {}));
    const MemorySource source(sink.text());
    QCOMPARE(read_npy_header(source)->shape, (std::vector<Index>{0, 4}));
  }

  /// In pieces of 2^22 numbers: two here.
  void progress_is_reported_per_piece() {
    const std::vector<float> values((std::size_t{1} << 22) + (std::size_t{1} << 20), 1.0F);
    std::vector<double> fractions;
    Work work;
    work.progress = [&](double fraction) { fractions.push_back(fraction); };
    SmallSink sink(3);
    QVERIFY(write_npy(std::array<Index, 1>{static_cast<Index>(values.size())}, values, sink, work));
    QCOMPARE(fractions, (std::vector<double>{0.8, 1}));
  }

  void stop_ends_it() {
    std::stop_source source;
    source.request_stop();
    StringSink sink;
    const std::vector<float> values{1};
    const auto written = write_npy(std::array<Index, 1>{1}, values, sink, {{}, source.get_token()});
    QVERIFY(!written && written.error().code == Errc::cancelled);
  }

  void sink_failure_is_reported() {
    const std::vector<float> values{1};
    for (const int writes : {0, 1}) {
      SmallSink sink(writes);
      COMPARE_ERROR(write_npy(std::array<Index, 1>{1}, values, sink, {}), "the disk is full");
    }
  }
};

VQSCOPE_TEST(NpyWriterTest)
#include "npy_writer_test.moc"
