// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_list.h"

#include "core/io/npy/npy_header.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "name dtype shape problem" of each.
std::vector<std::string> lines_of(const std::string& path, std::string bytes) {
  const auto tensors = list_tensors(source_of(std::move(bytes)), path);
  if (!tensors) return {tensors.error().message};
  std::vector<std::string> lines;
  for (const auto& tensor : *tensors)
    lines.push_back(tensor.name + " " + tensor.dtype + " " + NpyHeader{.shape = tensor.shape}.shape_text() +
                    (tensor.problem.empty() ? "" : " " + tensor.problem));
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

class TensorListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void an_npy_has_one_without_a_name() {
    QCOMPARE(lines_of("q.NPY", npy_array("<f4", {2, 3}, std::string(24, '\0'))), (Lines{" float32 (2, 3)"}));
    QCOMPARE(lines_of("q.npy", npy_array("<i4", {1, 1}, "1234")),
             (Lines{" int32 (1, 1) the dtype must be float16, bfloat16, float32 or float64"}));
  }

  void an_npz_has_its_arrays() {
    ZipBytes zip;
    zip.add("k.npy", npy_array("<f2", {1, 2, 1, 1}, "1234"), true);
    zip.add("notes.txt", "no array", false);
    zip.add("bad.npy", "no array either", false);
    zip.add("q.npy", npy_array("<f8", {1, 1}, "12345678"), false);
    QCOMPARE(lines_of("a.npz", zip.bytes()),
             (Lines{"k float16 (1, 2, 1, 1)", "bad  () not an NPY file: it does not begin with \\x93NUMPY",
                    "q float64 (1, 1)"}));
  }

  void safetensors_have_dtypes_of_their_own() {
    QCOMPARE(lines_of("m.safetensors", safetensors_file(R"({"k":{"dtype":"BF16","shape":[2,1],"data_offsets":[1,5]},)"
                                                        R"("s":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})",
                                                        "12345")),
             (Lines{"s F8_E4M3 (1,) the dtype must be float16, bfloat16, float32 or float64", "k bfloat16 (2, 1)"}));
  }

  void faults_of_the_file_name_it() {
    QCOMPARE(lines_of("q.npy", "\1nonsense"), (Lines{"q.npy: not an NPY file: it does not begin with \\x93NUMPY"}));
    QCOMPARE(lines_of("a.npz", "PK\3\4"),
             (Lines{"a.npz: the zip archive is cut short or not a zip file: its end record is missing"}));
  }
};

VQSCOPE_TEST(TensorListTest)
#include "tensor_list_test.moc"
