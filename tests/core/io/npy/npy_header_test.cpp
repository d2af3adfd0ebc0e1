// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_header.h"

#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<NpyHeader> header_from(const std::string& dictionary, std::size_t data = 0, int version = 1) {
  const std::string file = npy_file(dictionary, std::string(data, '\0'), version);
  return read_npy_header(MemorySource(file));
}

/// A dictionary as NumPy writes it, of zero elements.
std::string with(const std::string& descr, const std::string& order = "False", const std::string& shape = "(0,)") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

/// A file of which the bytes from `broken` on cannot be read.
class BrokenSource : public ByteSource {
 public:
  BrokenSource(std::string bytes, std::uint64_t broken) : m_bytes(std::move(bytes)), m_broken(broken) {}
  std::uint64_t size() const override { return m_bytes.size(); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    if (offset + out.size() > m_broken) return Error{Errc::io, "reading stopped"};
    return MemorySource(m_bytes).read(offset, out);
  }

 private:
  std::string m_bytes;
  std::uint64_t m_broken;
};

}  // namespace

class NpyHeaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void dtypes_have_numpys_names_data() {
    QTest::addColumn<QString>("descr");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("big_endian");
    const auto add = [](const char* descr, const char* name, bool big = false) {
      QTest::newRow(descr) << descr << name << big;
    };
    add("'|b1'", "bool");
    add("'?'", "bool");
    add("'|i1'", "int8");
    add("'<i2'", "int16");
    add("'=i4'", "int32");
    add("'>i8'", "int64", true);
    add("'|u1'", "uint8");
    add("'<u2'", "uint16");
    add("'>u4'", "uint32", true);
    add("'u8'", "uint64");
    add("'<f2'", "float16");
    add("\"<f4\"", "float32");
    add("'>f8'", "float64", true);
  }
  void dtypes_have_numpys_names() {
    QFETCH(QString, descr);
    QFETCH(QString, name);
    QFETCH(bool, big_endian);
    const auto header = header_from(with(descr.toStdString()));
    QVERIFY(header.has_value());
    COMPARE_TEXT(header->dtype.name(), name.toStdString());
    QCOMPARE(header->dtype.big_endian, big_endian);
    QCOMPARE(header->dtype.is_real(), name.startsWith("float"));
  }

  void a_dtype_of_no_file_of_ours() {
    QVERIFY((NpyDtype{NpyKind::brain, 2}.is_real()));
    COMPARE_TEXT((NpyDtype{NpyKind::brain, 2}.name()), "bfloat16");
  }

  /// As Python prints a tuple.
  void shapes_as_numpy_writes_them() {
    COMPARE_TEXT((NpyHeader{.shape = {}}.shape_text()), "()");
    COMPARE_TEXT((NpyHeader{.shape = {4}}.shape_text()), "(4,)");
    COMPARE_TEXT((NpyHeader{.shape = {4, 8, 0}}.shape_text()), "(4, 8, 0)");
  }

  void elements() {
    const NpyDtype half{NpyKind::real, 2};
    QCOMPARE((NpyHeader{.dtype = half, .shape = {}}.count()), std::uint64_t{1});
    QCOMPARE((NpyHeader{.dtype = half, .shape = {3, 5}}.count()), std::uint64_t{15});
    QCOMPARE((NpyHeader{.dtype = half, .shape = {3, 0}}.count()), std::uint64_t{0});
  }

  /// 2^64 bytes are one more than 64 bits hold; nothing of a dimension of size 0, whatever the
  /// others are.
  void bytes_as_far_as_64_bits_hold_them() {
    constexpr Index most = std::numeric_limits<Index>::max();
    const NpyDtype wide{NpyKind::real, 8};
    const auto bytes = [&](std::vector<Index> shape) { return tensor_bytes(wide, shape); };
    QCOMPARE(bytes({}), std::optional<std::uint64_t>(8));
    QCOMPARE(bytes({2, 3}), std::optional<std::uint64_t>(48));
    QCOMPARE(bytes({Index{1} << 60}), std::optional<std::uint64_t>(std::uint64_t{1} << 63));
    QCOMPARE(bytes({Index{1} << 61}), std::optional<std::uint64_t>());
    QCOMPARE(bytes({Index{1} << 32, Index{1} << 29}), std::optional<std::uint64_t>());
    QCOMPARE(bytes({most, most, 0}), std::optional<std::uint64_t>(0));
  }

  void the_data_begin_after_the_dictionary() {
    const std::string dictionary = with("'<i2'", "True", "(2, 1)");
    for (const int version : {1, 2, 3}) {
      const auto header = header_from(dictionary, 4, version);
      QVERIFY(header.has_value());
      QVERIFY(header->fortran);
      QCOMPARE(header->shape, (std::vector<Index>{2, 1}));
      QCOMPARE(header->data_offset, (version == 1 ? 10U : 12U) + std::uint64_t{dictionary.size()});
    }
  }

  void damaged_dictionaries_are_errors_data() {
    QTest::addColumn<QString>("dictionary");
    QTest::addColumn<QString>("what");
    const auto add = [](const char* dictionary, const char* what) { QTest::newRow(dictionary) << dictionary << what; };
    add("", "is damaged: expected a dictionary before \"\"");
    add("{", "is damaged: expected a quoted name and a colon before \"\"");
    add("{descr: 1}", "is damaged: expected a quoted name and a colon before \"descr: 1}\"");
    add("{'descr' 1}", "is damaged: expected a quoted name and a colon before \"1}\"");
    add("{'descr", "is damaged: expected a quoted name and a colon before \"'descr\"");
    add("{'shape': (1,) 'descr'}", "is damaged: expected a comma or the end of the dictionary before \"'descr'}\"");
    add("{'shape': [1]}", "is damaged: expected a tuple for shape before \"[1]}\"");
    add("{'shape': (1 2)}", "is damaged: expected a comma or the end of shape before \"2)}\"");
    add("{'shape': (1.5,)}", "is damaged: expected a comma or the end of shape before \".5,)}\"");
    add("{'shape': (,)}", "is damaged: expected a size from 0 to 2^63 - 1 in shape before \",)}\"");
    add("{'fortran_order': true}", "is damaged: expected True or False for fortran_order before \"true}\"");
    add("{'descr': '<f4', 'fortran_order': False, 'shape': ()} 7",
        "is damaged: expected nothing after the dictionary before \"7\"");
    add("{}", "has no entry 'descr'");
    add("{'descr': '<f4', }", "has no entry 'fortran_order'");
    add("{'shape': (), 'shape': ()}", "has two entries 'shape'");
    add("{'fortran_order': True, 'fortran_order': True}", "has two entries 'fortran_order'");
  }
  void damaged_dictionaries_are_errors() {
    QFETCH(QString, dictionary);
    QFETCH(QString, what);
    COMPARE_ERROR(header_from(dictionary.toStdString()), "the NPY header " + what.toStdString());
  }

  /// Bytes of a damaged file could be commands to a terminal.
  void control_bytes_in_messages_are_replaced() {
    COMPARE_ERROR(header_from("\x1b[2J{}"), "the NPY header is damaged: expected a dictionary before \"?[2J{}\"");
    COMPARE_ERROR(header_from("{'\x1b\xff': 1}"),
                  "the NPY header has the unknown entry '?"
                  "?' but must be descr, fortran_order or shape");
    COMPARE_ERROR(header_from("{'descr': '" + std::string(50, 'x') + "'}"),
                  "the NPY header names the dtype " + std::string(40, 'x') +
                      " but must be bool, int8 to int64, uint8 to uint64, float16, float32 or float64");
  }

  void a_header_of_a_mebibyte_is_the_longest() {
    const std::string dictionary = with("'|u1'");
    const auto padded = [&](std::size_t size) { return dictionary + std::string(size - dictionary.size(), ' '); };
    QVERIFY(header_from(padded(1 << 20), 0, 2).has_value());
    COMPARE_ERROR(header_from(padded((1 << 20) + 1), 0, 2),
                  "the NPY header has 1048577 bytes but must be at most 1048576");
  }

  void the_data_must_be_there_to_the_last_byte() {
    const std::string dictionary = with("'<f4'", "False", "(3,)");
    QVERIFY(header_from(dictionary, 12).has_value());
    QVERIFY2(header_from(dictionary, 13).has_value(), "as NumPy does, what follows the data is left alone");
    COMPARE_ERROR(header_from(dictionary, 11),
                  "the NPY file is cut short: shape (3,) of float32 needs 12 bytes of data, the file has 11");
  }

  void every_truncated_header_is_an_error() {
    const std::string file = npy_file(with("'<f4'"), "");
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::string cut = file.substr(0, size);
      COMPARE_ERROR(read_npy_header(MemorySource(cut)),
                    size < 6
                        ? "not an NPY file: it does not begin with \\x93NUMPY"
                        : "the NPY file is cut short: its " + std::to_string(size) + " bytes end within the header");
    }
  }

  void source_failure_is_reported() {
    const std::string file = npy_file(with("'<f4'"), "");
    for (const std::uint64_t broken : {0U, 11U, 40U})
      COMPARE_ERROR(read_npy_header(BrokenSource(file, broken)), "reading stopped");
  }
};

VQSCOPE_TEST(NpyHeaderTest)
#include "npy_header_test.moc"
