// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors.h"

#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Entries = std::vector<SafetensorsEntry>;

Result<Entries> entries_of(std::string header, std::size_t data) {
  std::ranges::replace(header, '\'', '"');
  return read_safetensors_header(MemorySource(safetensors_file(header, std::string(data, '\0'))));
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape, int begin, int end) {
  return "'" + name + "':{'dtype':" + dtype + ",'shape':" + shape + ",'data_offsets':[" + std::to_string(begin) + "," +
         std::to_string(end) + "]}";
}

}  // namespace

class SafetensorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void tensors_in_the_order_in_which_they_lie() {
    const std::string header = "{" + entry("z", "'F32'", "[2]", 4, 12) + "," + entry("a", "'I8'", "[4]", 0, 4) + "}";
    const auto entries = *entries_of(header, 12);
    QCOMPARE(entries.size(), std::size_t{2});
    COMPARE_TEXT(entries[0].name, "a");
    COMPARE_TEXT(entries[1].name, "z");
    COMPARE_TEXT(entries[1].dtype, "F32");
    QCOMPARE(entries[1].shape, (std::vector<Index>{2}));
    QCOMPARE(entries[0].offset, 8 + std::uint64_t{header.size()});
    QCOMPARE(entries[1].offset, entries[0].offset + 4);
  }

  /// The format's own names (safetensors, "Format"), with bytes an element.
  void dtypes_data() {
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("bytes");
    const auto add = [](const char* dtype, const char* name, int bytes) {
      QTest::newRow(dtype) << dtype << name << bytes;
    };
    add("BOOL", "bool", 1);
    add("U8", "uint8", 1);
    add("I8", "int8", 1);
    add("U16", "uint16", 2);
    add("I16", "int16", 2);
    add("U32", "uint32", 4);
    add("I32", "int32", 4);
    add("U64", "uint64", 8);
    add("I64", "int64", 8);
    add("F16", "float16", 2);
    add("BF16", "bfloat16", 2);
    add("F32", "float32", 4);
    add("F64", "float64", 8);
  }
  void dtypes() {
    QFETCH(QString, dtype);
    QFETCH(QString, name);
    QFETCH(int, bytes);
    const std::string quoted = "'" + dtype.toStdString() + "'";
    const auto entries =
        entries_of("{" + entry("q", quoted, "[3]", 0, 3 * bytes) + "}", static_cast<std::size_t>(3 * bytes));
    QVERIFY(entries.has_value());
    COMPARE_TEXT(entries->front().known->name(), name.toStdString());
    QVERIFY(!entries->front().known->big_endian);
    COMPARE_ERROR(entries_of("{" + entry("q", quoted, "[3]", 0, 2) + "}", 2),
                  "tensor q of shape (3,) and dtype " + dtype.toStdString() + " needs " + std::to_string(3 * bytes) +
                      " bytes, its data_offsets give it 2");
  }

  /// The element size of an unknown dtype is unknown: it keeps its place, and others can be read.
  void an_unknown_dtype_keeps_its_place() {
    const auto entries =
        *entries_of("{" + entry("new", "'F8_E5M2'", "[3]", 0, 3) + "," + entry("q", "'U8'", "[1]", 3, 4) + "}", 4);
    QVERIFY(!entries[0].known);
    COMPARE_TEXT(entries[0].dtype, "F8_E5M2");
    QVERIFY(entries[1].known);
  }

  void scalars_and_empty_files() {
    QVERIFY(entries_of("{}", 0)->empty());
    QCOMPARE(entries_of("{'__metadata__':{'format':'pt'}}", 0)->size(), std::size_t{0});
    QVERIFY(entries_of("{" + entry("s", "'F32'", "[]", 0, 4) + "}", 4)->front().shape.empty());
    const auto empty =
        *entries_of("{" + entry("q", "'U8'", "[1]", 0, 1) + "," + entry("e", "'F32'", "[0,9]", 1, 1) + "}", 1);
    COMPARE_TEXT(empty[1].name, "e");
  }

  void incomplete_entries_are_errors_data() {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* entry, const char* message) { QTest::newRow(entry) << entry << message; };
    const char* dtype = "tensor q has no dtype, such as \"F32\"";
    const char* shape = "tensor q has no shape, a list of at most 32 sizes from 0";
    const char* offsets = "tensor q has no data_offsets, a list of where it begins and ends";
    add("7", dtype);
    add("{'dtype':5,'shape':[1],'data_offsets':[0,4]}", dtype);
    add("{'dtype':'F32','data_offsets':[0,4]}", shape);
    add("{'dtype':'F32','shape':1,'data_offsets':[0,4]}", shape);
    add("{'dtype':'F32','shape':[1.5],'data_offsets':[0,4]}", shape);
    add("{'dtype':'F32','shape':['1'],'data_offsets':[0,4]}", shape);
    add("{'dtype':'F32','shape':[1]}", offsets);
    add("{'dtype':'F32','shape':[1],'data_offsets':[4]}", offsets);
    add("{'dtype':'F32','shape':[1],'data_offsets':[0,4,8]}", offsets);
    add("{'dtype':'F32','shape':[1],'data_offsets':[-4,0]}", offsets);
    add("{'dtype':'F32','shape':[1],'data_offsets':[0,1e300]}", offsets);
  }
  void incomplete_entries_are_errors() {
    QFETCH(QString, entry);
    QFETCH(QString, message);
    COMPARE_ERROR(entries_of("{'q':" + entry.toStdString() + "}", 4), message.toStdString());
  }

  void at_most_32_dimensions() {
    const auto ones = [](int count) {
      std::string shape = "[1";
      for (int i = 1; i < count; ++i) shape += ",1";
      return entries_of("{" + entry("q", "'U8'", shape + "]", 0, 1) + "}", 1);
    };
    QVERIFY(ones(32).has_value());
    COMPARE_ERROR(ones(33), "tensor q has no shape, a list of at most 32 sizes from 0");
  }

  void a_long_name_is_cut_in_a_sentence() {
    COMPARE_ERROR(entries_of("{'" + std::string(300, 'n') + "':1}", 0),
                  "tensor " + std::string(59, 'n') + "… has no dtype, such as \"F32\"");
  }

  void metadata_may_stand_once() {
    COMPARE_ERROR(entries_of("{'__metadata__':{},'__metadata__':{}}", 0),
                  "tensor __metadata__ appears twice in the header");
  }

  /// The tensors fill the rest of the file.
  void bytes_that_belong_to_no_tensor_are_refused() {
    COMPARE_ERROR(entries_of("{}", 1), "the file has 1 bytes of data, its tensors have 0");
    COMPARE_ERROR(entries_of("{" + entry("q", "'U8'", "[2]", 1, 3) + "}", 3),
                  "tensor q begins at byte 1 of the data, expected is 0, where the one before it ends");
  }

  void every_truncated_file_is_an_error() {
    std::string header = "{" + entry("q", "'F32'", "[2]", 0, 8) + "}";
    std::ranges::replace(header, '\'', '"');
    const std::string file = safetensors_file(header, std::string(8, '\0'));
    QVERIFY(read_safetensors_header(MemorySource(file)).has_value());
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::string cut = file.substr(0, size);
      const auto read = read_safetensors_header(MemorySource(cut));
      const std::string present = std::to_string(size < 8                   ? size
                                                 : size < 8 + header.size() ? size - 8
                                                                            : size - 8 - header.size());
      COMPARE_ERROR(read,
                    size < 8 ? "not a safetensors file: it has " + present + " bytes, its header's length alone needs 8"
                    : size < 8 + header.size() ? "not a safetensors file, or cut short: its header should have " +
                                                     std::to_string(header.size()) + " bytes, the file has " + present
                                               : "tensor q ends at byte 8 of the data, the file has " + present);
    }
  }
};

VQSCOPE_TEST(SafetensorsTest)
#include "safetensors_test.moc"
