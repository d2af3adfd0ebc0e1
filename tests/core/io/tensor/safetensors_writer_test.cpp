// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/safetensors_writer.h"

#include "core/io/npy/npy_reader.h"
#include "core/io/tensor/safetensors.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

class SafetensorsWriterTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const std::vector<NamedTensor> tensors{{"n", {2}, std::vector<std::int32_t>{1, -1}}};
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    std::string header = "{'n':{'dtype':'I32','shape':[2],'data_offsets':[0,8]}}";
    for (char& c : header)
      if (c == '\'') c = '"';
    header.resize(56, ' ');
    QCOMPARE(sink.text(), std::string("\x38\0\0\0\0\0\0\0", 8) + header + std::string("\1\0\0\0\xff\xff\xff\xff", 8));
  }

  void the_reader_reads_it() {
    const std::vector<NamedTensor> tensors{{"a \"b\"", {2, 2}, std::vector<double>{1, 2, 1e-300, -4}},
                                           {"empty", {0, 3}, std::vector<float>{}},
                                           {"scalar", {}, std::vector<float>{0.1F}}};
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    const MemorySource source(sink.text());
    const auto entries = read_safetensors_header(source).value();
    QCOMPARE(entries.size(), std::size_t{3});
    for (const SafetensorsEntry& entry : entries) {
      QCOMPARE(entry.offset % 4, std::uint64_t{0});
      const auto wanted = std::find_if(tensors.begin(), tensors.end(), [&](auto& t) { return t.name == entry.name; });
      QVERIFY(wanted != tensors.end());
      QCOMPARE(entry.shape, wanted->shape);
      const NpyHeader header{.dtype = *entry.known, .shape = entry.shape, .data_offset = entry.offset};
      const auto values = read_npy<double>(source, header, 100).value();
      std::visit([&](const auto& all) { QCOMPARE(values, std::vector<double>(all.begin(), all.end())); },
                 wanted->values);
    }
  }

  void no_tensors() {
    StringSink sink;
    QVERIFY(write_safetensors({}, sink));
    QVERIFY(read_safetensors_header(MemorySource(sink.text()))->empty());
  }
};

VQSCOPE_TEST(SafetensorsWriterTest)
#include "safetensors_writer_test.moc"
