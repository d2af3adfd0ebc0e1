// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_file.h"

#include "core/io/zip/inflated.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Floats = std::vector<float>;

Result<Floats> read_file(const std::string& name, std::string bytes) {
  const auto parsed = parse_tensor_name(name);
  if (!parsed) return parsed.error();
  const auto tensor = find_tensor(source_of(std::move(bytes)), *parsed);
  if (!tensor) return tensor.error();
  return read_tensor(*tensor);
}

/// 0, 1, 2, ... as an array of float32.
std::string counting(const std::vector<Index>& shape, bool fortran = false) {
  Index count = 1;
  for (const Index size : shape) count *= size;
  Floats values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.0F);
  return npy_array("<f4", shape, bytes_of_values(values), fortran);
}

Floats counted(Index first, Index count) {
  Floats values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), static_cast<float>(first));
  return values;
}

std::string archive(bool deflate, bool zip64 = false) {
  ZipBytes zip;
  zip.add("q.npy", counting({2, 3}), deflate);
  zip.add("notes.txt", "no array", deflate);
  zip.add("keys.npy", counting({2, 2, 3, 4}), deflate);
  return zip.bytes(zip64);
}

/// Double quotes for single ones.
std::string json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text;
}

const std::string two_tensors = json(
    "{'__metadata__':{'format':'pt'},'k':{'dtype':'BF16','shape':[2,1],'data_offsets':[8,12]},"
    "'q':{'dtype':'F32','shape':[2,1],'data_offsets':[0,8]}}");

std::string file_entry(const std::string& name, const std::string& shape, const std::string& offsets) {
  return json("'" + name + "':{'dtype':'F32','shape':" + shape + ",'data_offsets':" + offsets + "}");
}

Result<Floats> safetensors(const std::string& entries, std::size_t data, const std::string& name = "a.safetensors") {
  return read_file(name, safetensors_file("{" + entries + "}", std::string(data, '\0')));
}

}  // namespace

class TensorFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void npy_in_both_orders() {
    QCOMPARE(*read_file("q.npy", counting({2, 3})), counted(0, 6));
    QCOMPARE(*read_file("q.npy", counting({2, 3}, true)), (Floats{0, 2, 4, 1, 3, 5}));
    QCOMPARE(*read_file("q.npy", npy_array("<f2", {1, 2}, bytes_of_values<std::uint16_t>({0x3c00, 0xc000}))),
             (Floats{1, -2}));
    QCOMPARE(*read_file("q.npy", npy_array(">f8", {1, 1}, std::string("\x3f\xf8\0\0\0\0\0\0", 8))), (Floats{1.5F}));
  }

  void leading_indices() {
    const auto at = [](const std::string& brackets, bool fortran = false) {
      return *read_file("k.npy" + brackets, counting({3, 2, 2, 2}, fortran));
    };
    QCOMPARE(at(""), counted(0, 24));
    QCOMPARE(at("[1]"), counted(8, 8));
    QCOMPARE(at("[-1,0]"), counted(16, 4));
    QCOMPARE(at("[2,1]", true), (Floats{5, 17, 11, 23}));
    QCOMPARE(at("[0]", true), (Floats{0, 12, 6, 18, 3, 15, 9, 21}));
    const auto tensor = *find_tensor(source_of(counting({3, 2, 4})), *parse_tensor_name("k.npy[-3]"));
    QCOMPARE(tensor.shape, (std::vector<Index>{2, 4}));
    QCOMPARE(tensor.name.leading, (std::vector<Index>{0}));
    COMPARE_ERROR(read_file("k.npy[3]", counting({3, 2, 2})),
                  "k.npy: the tensor has the shape (3, 2, 2): index 3 of dimension 0 must be -3 to 2");
    QCOMPARE(*read_file("k.npy[1]", counting({3, 2})), counted(2, 2));
    QCOMPARE(*read_file("k.npy[1][-1]", counting({3, 2}, true)), (Floats{4}));
    COMPARE_ERROR(read_file("k.npy[0,0,0]", counting({3, 2})),
                  "k.npy: the tensor has the shape (3, 2): at most 2 leading indices can be picked, 3 were given");
  }

  void npz_stored_deflated_and_64_bit() {
    for (const bool deflate : {false, true})
      for (const bool zip64 : {false, true}) {
        QCOMPARE(*read_file("a.npz:q", archive(deflate, zip64)), counted(0, 6));
        QCOMPARE(*read_file("a.npz:keys", archive(deflate, zip64)), counted(0, 48));
        QCOMPARE(*read_file("a.npz:keys.npy[1,-1]", archive(deflate, zip64)), counted(36, 12));
      }
    ZipBytes one;
    one.add("arr_0.npy", counting({50, 2, 700}, true), true);
    const auto values = *read_file("a.npz", one.bytes(false, "a comment with PK\5\6 in it"));
    QCOMPARE(values[1], 100.0F);
    QCOMPARE(values.back(), 69999.0F);
  }

  void npz_names() {
    COMPARE_ERROR(
        read_file("a.npz", archive(false)),
        "a.npz: it holds 2 tensors, name one of them as FILE:NAME: q float32 (2, 3), keys float32 (2, 2, 3, 4)");
    COMPARE_ERROR(
        read_file("a.npz:key", archive(false)),
        "a.npz: it holds no tensor key, only q float32 (2, 3), keys float32 (2, 2, 3, 4); did you mean keys?");
    ZipBytes none;
    COMPARE_ERROR(read_file("a.npz", none.bytes()), "a.npz: it holds no tensor");
    std::string first_names = "tensor0";
    for (int i = 1; i < 25; ++i) first_names += ", tensor" + std::to_string(i);
    first_names += " and 65 more";
    for (int i = 0; i < 90; ++i) none.add("tensor" + std::to_string(i) + ".npy", counting({1, 1}), false);
    COMPARE_ERROR(read_file("a.npz", none.bytes()),
                  "a.npz: it holds 90 tensors, name one of them as FILE:NAME: " + first_names);
    COMPARE_ERROR(read_file("q.npy:q", counting({1, 1})),
                  "q.npy: a NumPy array is one tensor without a name, leave out :q");
  }

  void damaged_archives_are_errors() {
    COMPARE_ERROR(read_file("a.npz", "PK\3\4"),
                  "a.npz: the zip archive is cut short or not a zip file: its end record is missing");
    ZipBytes zip;
    zip.add("q.npy", counting({2, 3}), true);
    const auto with = [&](const auto& change) {
      ZipBytes changed = zip;
      change(changed.members[0]);
      return read_file("a.npz", changed.bytes());
    };
    COMPARE_ERROR(with([](auto& m) { ++m.checksum; }),
                  "a.npz: the member q.npy is damaged: its checksum does not match its bytes");
    COMPARE_ERROR(with([](auto& m) { m.flags = 1; }), "a.npz: the member q.npy is encrypted, which is not supported");
    COMPARE_ERROR(with([](auto& m) { m.method = 14; }),
                  "a.npz: the member q.npy is compressed by method 14 but must be 0 (stored) or 8 (deflated)");
    COMPARE_ERROR(with([](auto& m) { m.shift = 5; }), "a.npz: the member q.npy is not where the directory says");
    COMPARE_ERROR(with([](auto& m) { m.shift = 1u << 30; }),
                  "a.npz: the member q.npy does not lie within the archive, or overlaps another");
    COMPARE_ERROR(with([](auto& m) { m.size = 0xfffffffe; }),
                  "a.npz: the member q.npy says that it has 4294967294 bytes, which deflate cannot hold in " +
                      std::to_string(zip.members[0].stored.size()));
    COMPARE_ERROR(with([](auto& m) { m.method = 0; }), "a.npz: the member q.npy is stored as it is in " +
                                                           std::to_string(zip.members[0].stored.size()) +
                                                           " bytes but says that it has 152");
    COMPARE_ERROR(
        with([](auto& m) { m.size += 10; }),
        "a.npz: tensor q: the member q.npy is cut short: its deflated bytes end before the 162 that it should "
        "have");
    COMPARE_ERROR(
        with([](auto& m) {
          m.stored = deflated(counting({2, 3}).substr(0, 140));
        }),
        "a.npz: tensor q: the member q.npy is cut short: its deflated bytes end before the 152 that it should have");
    COMPARE_ERROR(with([](auto& m) { m.stored[0] = '\xff'; }),
                  "a.npz: tensor q: the member q.npy is damaged: invalid block type");
  }

  void overlapping_members_are_refused() {
    ZipBytes zip;
    zip.add("a.npy", counting({2, 3}), false);
    zip.add("b.npy", counting({2, 3}), false);
    zip.members[1].shift = -(30 + 5 + 3 + zip.members[0].stored.size());
    COMPARE_ERROR(read_file("z.npz:b", zip.bytes()),
                  "z.npz: the member a.npy does not lie within the archive, or overlaps another");
  }

  void deflated_bytes_can_be_read_backwards() {
    std::string bytes;
    for (std::uint64_t i = 0; i < 300'000; ++i) bytes += static_cast<char>(i * i >> 3 & 0xff);
    const InflatedSource source(source_of(deflated(bytes)), bytes.size());
    Random random(3);
    for (int i = 0; i < 50; ++i) {
      const Index at = pick(random, 0, 299'999);
      std::string out(static_cast<std::size_t>(pick(random, 0, 300'000 - at)), '\0');
      QVERIFY(source.read(static_cast<std::uint64_t>(at), out));
      QVERIFY(out == bytes.substr(static_cast<std::size_t>(at), out.size()));
    }
  }

  /// zlib may have used up its input and hold output still, where a window of 256 KiB ends.
  void constant_data_around_the_window() {
    const std::size_t window = std::size_t{1} << 18;
    for (std::size_t i = 0; i < 190; ++i) {
      const std::size_t size = (i % 2 + 1) * window - 20 + 7 * (i / 2);
      const std::string bytes(size, 'x');
      const InflatedSource source(source_of(deflated(bytes)), size);
      std::string out(size, '\0');
      const auto read = source.read(0, out);
      QVERIFY2(read, read ? "" : (std::to_string(size) + ": " + read.error().message).c_str());
      QVERIFY(out == bytes);
    }
  }

  void safetensors_by_hand() {
    const std::string file = safetensors_file(
        two_tensors, bytes_of_values<float>({0.5F, -3}) + bytes_of_values<std::uint16_t>({0x3fc0, 0xc040}));
    QCOMPARE(*read_file("m.safetensors:q", file), (Floats{0.5F, -3}));
    QCOMPARE(*read_file("m.safetensors:k", file), (Floats{1.5F, -3}));
    COMPARE_ERROR(
        read_file("m.safetensors", file),
        "m.safetensors: it holds 2 tensors, name one of them as FILE:NAME: q float32 (2, 1), k bfloat16 (2, 1)");
    COMPARE_ERROR(read_file("m.safetensors:kk", file),
                  "m.safetensors: it holds no tensor kk, only q float32 (2, 1), k bfloat16 (2, 1); did you mean k?");
  }

  void safetensors_with_wrong_sizes_are_refused() {
    COMPARE_ERROR(read_file("a.safetensors", std::string("123\1")),
                  "a.safetensors: not a safetensors file: it has 4 bytes, its header's length alone needs 8");
    COMPARE_ERROR(read_file("a.safetensors", std::string(8, '\xff') + "{}"),
                  "a.safetensors: not a safetensors file, or cut short: its header should have 18446744073709551615 "
                  "bytes, the file has 2");
    COMPARE_ERROR(read_file("a.safetensors", safetensors_file(std::string(5'000'000, ' '), "")),
                  "a.safetensors: the safetensors header has 5000000 bytes but must be at most 4194304");
    COMPARE_ERROR(
        read_file("a.safetensors", safetensors_file("{\"q\":", "")),
        "a.safetensors: the safetensors header is not valid JSON: line 1, column 6: the text ends, expected a "
        "JSON value");
    COMPARE_ERROR(read_file("a.safetensors", safetensors_file("[]", "")),
                  "a.safetensors: the safetensors header is a list of 0 items, an object is expected");
    COMPARE_ERROR(safetensors(json("'q':{'shape':[1],'data_offsets':[0,4]}"), 4),
                  "a.safetensors: tensor q has no dtype, such as \"F32\"");
    COMPARE_ERROR(safetensors(file_entry("q", "[-1]", "[0,4]"), 4),
                  "a.safetensors: tensor q has no shape, a list of at most 32 sizes from 0");
    COMPARE_ERROR(safetensors(file_entry("q", "[1,1]", "[4,0]"), 4),
                  "a.safetensors: tensor q has no data_offsets, a list of where it begins and ends");
    COMPARE_ERROR(safetensors(file_entry("q", "[1,1]", "[0,4]") + "," + file_entry("q", "[1,1]", "[0,4]"), 4),
                  "a.safetensors: tensor q appears twice in the header");
    COMPARE_ERROR(safetensors(file_entry("q", "[4294967296,4294967296,4]", "[0,4]"), 4),
                  "a.safetensors: tensor q of shape (4294967296, 4294967296, 4) and dtype F32 needs more than 2^64 "
                  "bytes, its data_offsets give it 4");
    COMPARE_ERROR(safetensors(file_entry("q", "[2,1]", "[0,4]"), 4),
                  "a.safetensors: tensor q of shape (2, 1) and dtype F32 needs 8 bytes, its data_offsets give it 4");
    COMPARE_ERROR(safetensors(file_entry("q", "[2,1]", "[0,8]"), 4),
                  "a.safetensors: tensor q ends at byte 8 of the data, the file has 4");
    COMPARE_ERROR(safetensors(file_entry("q", "[2,1]", "[0,8]") + "," + file_entry("k", "[1,1]", "[4,8]"), 8),
                  "a.safetensors: tensor k begins at byte 4 of the data, expected is 8, where the one before it ends");
    COMPARE_ERROR(safetensors(file_entry("q", "[1,1]", "[0,4]") + "," + file_entry("k", "[1,1]", "[8,12]"), 12),
                  "a.safetensors: tensor k begins at byte 8 of the data, expected is 4, where the one before it ends");
    COMPARE_ERROR(safetensors(file_entry("q", "[1,1]", "[0,4]"), 12),
                  "a.safetensors: the file has 12 bytes of data, its tensors have 4");
  }

  void dtypes_that_are_no_floats() {
    COMPARE_ERROR(read_file("q.npy", npy_array("<i4", {1, 1}, "1234")),
                  "q.npy: the tensor has dtype int32 but must be float16, bfloat16, float32 or float64");
    COMPARE_ERROR(safetensors(json("'q':{'dtype':'I64','shape':[1],'data_offsets':[0,8]}"), 8),
                  "a.safetensors: tensor q has dtype int64 but must be float16, bfloat16, float32 or float64");
    COMPARE_ERROR(safetensors(json("'q':{'dtype':'F8_E4M3','shape':[1],'data_offsets':[0,1]}"), 1),
                  "a.safetensors: tensor q has dtype F8_E4M3 but must be F16, BF16, F32 or F64");
  }

  void first_bytes_decide() {
    QCOMPARE(*read_file("q.npz", counting({2, 3})), counted(0, 6));
    QCOMPARE(*read_file("a.pt:q", archive(true)), counted(0, 6));
    QCOMPARE(*read_file("q.npy", "1,2,3\n"), (Floats{1, 2, 3}));
    COMPARE_ERROR(read_file("q.npy", "Access denied"),
                  "q.npy is a text but must be a NumPy, safetensors or torch file");
    COMPARE_ERROR(read_file("q.npz", ""), "q.npz is empty but must be a NumPy, safetensors or torch file");
  }

  void faults_within_a_file_name_it() {
    COMPARE_ERROR(read_file("q.npy", "\1nonsense"), "q.npy: not an NPY file: it does not begin with \\x93NUMPY");
    ZipBytes zip;
    zip.add("q.npy", counting({2, 3}).substr(0, 140), false);
    COMPARE_ERROR(
        read_file("a.npz", zip.bytes()),
        "a.npz: tensor q: the NPY file is cut short: shape (2, 3) of float32 needs 24 bytes of data, the file "
        "has 12");
  }

  void reading_is_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto tensor = *find_tensor(source_of(counting({2, 3})), *parse_tensor_name("q.npy"));
    const auto read = read_tensor(tensor, stop.get_token());
    QVERIFY(!read && read.error().code == Errc::cancelled);
  }

  void damaged_files_never_crash() {
    Random random(4);
    const std::vector<std::pair<std::string, std::string>> files{
        {"a.npy", counting({2, 3, 2}, true)},
        {"a.npz:keys", archive(false)},
        {"a.npz:keys", archive(true)},
        {"a.npz:q", archive(true, true)},
        {"m.safetensors:k", safetensors_file(two_tensors, std::string(12, '\x3f'))}};
    for (int i = 0; i < 20'000; ++i) {
      const auto& [name, whole] = files[static_cast<std::size_t>(i) % files.size()];
      std::string damaged = whole;
      const auto last = static_cast<Index>(whole.size()) - 1;
      for (Index changes = pick(random, 0, 4); changes > 0; --changes)
        damaged[static_cast<std::size_t>(pick(random, 0, last))] = static_cast<char>(pick(random, 0, 255));
      if (pick(random, 0, 3) == 0) damaged.resize(static_cast<std::size_t>(pick(random, 0, last)));
      const auto values = read_file(name, damaged);
      QVERIFY(values ? values->size() <= 100'000 : !values.error().message.empty());
    }
  }
};

VQSCOPE_TEST(TensorFileTest)
#include "tensor_file_test.moc"
