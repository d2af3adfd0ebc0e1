// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_file.h"

#include "core/io/bytes/file_source.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "tests/core/io/pickle/pickle_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Reals = std::vector<double>;

Result<Reals> reals_of(const std::string& bytes, const std::string& name = {}) {
  auto parsed = parse_tensor_name("t.pt" + (name.empty() ? "" : ":" + name));
  if (!parsed) return parsed.error();
  const auto tensor = find_tensor(source_of(bytes), *parsed, TensorUse::cells);
  return tensor ? read_values<double>(*tensor, 1000) : tensor.error();
}

Result<Reals> reals_in(const std::string& file, const std::string& name) {
  const auto tensor =
      open_tensor(dataPath(QString::fromStdString("torch/" + file)).toStdString() + ":" + name, TensorUse::cells);
  return tensor ? read_values<double>(*tensor, 1000) : tensor.error();
}

std::string floats(const std::vector<float>& values) { return bytes_of_values(values); }

/// A tensor of eight floats 0, 1, …, with any sizes.
Result<Reals> view(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                   std::int64_t first = 0) {
  return reals_of(torch_archive(pickled(pickled_tensor(shape, strides, first, 8)), floats({0, 1, 2, 3, 4, 5, 6, 7})));
}

}  // namespace

class TorchFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void files_that_torch_wrote() {
    for (const std::string file : {"nested.pt", "nested_old.pt"}) {
      QCOMPARE(*reals_in(file, "attn.mask"), (Reals{1, 0, 1, 1}));
      QCOMPARE(*reals_in(file, "layers[0].q"), (Reals{0, 3, 1, 4, 2, 5}));
      QCOMPARE(*reals_in(file, "layers[-1].q[1]"), (Reals{1, 4}));
      QCOMPARE(*reals_in(file, "layers"), (Reals{0, 3, 1, 4, 2, 5}));
      QVERIFY(reals_in(file, "lr")
                  .error()
                  .message.ends_with(": lr is a number; it holds attn.mask bool (2, 2), layers[0].q float32 (3, 2)"));
    }
    QCOMPARE(*reals_in("batch_encoding.pt", "attention_mask"), (Reals{1, 1, 1, 1, 1, 0}));
    QCOMPARE(*reals_in("arrays.pkl", "mask"), (Reals{1, 0, 1, 1}));
    QCOMPARE(*reals_in("arrays.pkl", "t"), (Reals{1.5, 2.5}));
  }

  void strides_and_offsets() {
    QCOMPARE(*view({2, 4}, {4, 1}), (Reals{0, 1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(*view({4, 2}, {1, 4}), (Reals{0, 4, 1, 5, 2, 6, 3, 7}));
    QCOMPARE(*view({2, 3}, {0, 2}, 1), (Reals{1, 3, 5, 1, 3, 5}));
    QCOMPARE(*view({2, 3}, {3, 0}), (Reals{0, 0, 0, 3, 3, 3}));
    QCOMPARE(*view({1, 2}, {1000, 1}, 6), (Reals{6, 7}));
    QCOMPARE(*view({}, {}, 5), (Reals{5}));
    QCOMPARE(*view({0, 3}, {3, 1}), Reals());
  }

  /// Any view is what its definition says, element by element.
  void views_are_as_defined() {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
      const std::vector<std::int64_t> shape{pick(random, 1, 3), pick(random, 1, 3), pick(random, 1, 3)};
      const std::vector<std::int64_t> strides{pick(random, 0, 4), pick(random, 0, 4), pick(random, 0, 4)};
      const Index first = pick(random, 0, 3);
      Reals expected;
      Index last = 0;
      for (Index a = 0; a < shape[0]; ++a)
        for (Index b = 0; b < shape[1]; ++b)
          for (Index c = 0; c < shape[2]; ++c) {
            const Index at = first + a * strides[0] + b * strides[1] + c * strides[2];
            expected.push_back(static_cast<double>(at));
            last = std::max(last, at);
          }
      const auto values = view(shape, strides, first);
      QCOMPARE(values.has_value(), last < 8);
      if (values) QCOMPARE(*values, expected);
    }
  }

  void sizes_are_checked_against_the_storage() {
    COMPARE_ERROR(view({3, 3}, {3, 1}),
                  "t.pt: the tensor of shape (3, 3) and dtype float32 reaches element 9 of its storage, which has 8");
    COMPARE_ERROR(view({1'000'000'000'000'000}, {0}),
                  "t.pt: the tensor has the shape (1000000000000000,) but must have at most 16777216 elements for a "
                  "storage of 8");
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    COMPARE_ERROR(
        view({3, 3}, {huge, huge}),
        "t.pt: the tensor of shape (3, 3) and dtype float32 reaches element 2^64 of its storage, which has 8");
    QVERIFY(!view({-1}, {1}) && !view({2}, {1}, -1) && !view({2}, {1, 1}));
    const auto sized = [](std::int64_t count, const std::string& data, const std::string& type) {
      return reals_of(torch_archive(pickled(pickled_tensor({1}, {1}, 0, count, type)), data));
    };
    const std::string should = "t.pt: the tensor should have a storage of ";
    COMPARE_ERROR(sized(1, "1", "HalfStorage"), should + "2 bytes, storage 0 of the file has 1");
    COMPARE_ERROR(sized(100, std::string(1000, '\0'), "FloatStorage"),
                  should + "400 bytes, storage 0 of the file has 1000");
    COMPARE_ERROR(sized(huge, "1234", "FloatStorage"),
                  should + "18446744073709551615 bytes, storage 0 of the file has 4");
    COMPARE_ERROR(sized(-1, "1234", "FloatStorage"), "t.pt: the tensor has no storage");
    ZipBytes zip;
    zip.add("a/data.pkl", pickled(pickled_tensor({1}, {1})), false);
    COMPARE_ERROR(reals_of(zip.bytes()), "t.pt: the tensor has no data: storage 0 is missing");
  }

  void byte_order() {
    const std::string pickle = pickled(pickled_tensor({2}, {1}, 0, 2));
    const std::string big = std::string("\x3f\xc0\0\0\xc0\0\0\0", 8);
    QCOMPARE(*reals_of(torch_archive(pickle, big, "big")), (Reals{1.5, -2}));
    QCOMPARE(*reals_of(torch_archive(pickle, floats({1.5F, -2}), "little")), (Reals{1.5, -2}));
  }

  void names_within_the_file() {
    const std::string file = torch_archive(
        pickled("}(" + pickled_text("a") + "}(" + pickled_text("b") + pickled_tensor({2}, {1}) + "u" +
                pickled_text("a.b") + pickled_tensor({1}, {1}, 3) + pickled_text("ids") + "](K\1K\2K\3e" + "u"),
        floats({0, 1, 2, 3}));
    QCOMPARE(*reals_of(file, "a.b"), (Reals{3}));
    QCOMPARE(*reals_of(file, "a"), (Reals{0, 1}));
    QCOMPARE(*reals_of(file, "ids"), (Reals{1, 2, 3}));
    QCOMPARE(*reals_of(pickled("}(" + pickled_text("a") + "](K\1e" + pickled_text("a") + "](K\2eu"), "a"), (Reals{2}));
    COMPARE_ERROR(reals_of(file),
                  "t.pt: it holds 3 tensors, name one of them as FILE:NAME: a.b float32 (2,), a.b float32 (1,), ids "
                  "int64 (3,)");
    COMPARE_ERROR(reals_of(file, "c"),
                  "t.pt: it holds no tensor c, only a.b float32 (2,), a.b float32 (1,), ids int64 (3,)");
    const std::string pair = torch_archive(pickled("(" + pickled_tensor({2}, {1}) + pickled_tensor({2}, {1}, 2) + "t"),
                                           floats({0, 1, 2, 3}));
    QCOMPARE(*reals_of(pair, "[1]"), (Reals{2, 3}));
    QCOMPARE(*reals_of(pair, "[-1,0]"), (Reals{2}));
    QCOMPARE(*reals_of(torch_archive(pickled(pickled_tensor({2, 2}, {2, 1})), floats({0, 1, 2, 3})), "[1]"),
             (Reals{2, 3}));
  }

  void dtypes_that_are_not_read() {
    const auto refused = [](const std::string& type) {
      return reals_of(torch_archive(pickled(pickled_tensor({1}, {1}, 0, 1, type)), std::string(2, '\0')));
    };
    COMPARE_ERROR(refused("ComplexFloatStorage"),
                  "t.pt: the tensor has dtype complex64, which cannot be read; must be bool, int8 to int64, uint8 to "
                  "uint64, float16, bfloat16, float32 or float64");
    QVERIFY(refused("QInt8Storage").error().message.starts_with("t.pt: the tensor has dtype qint8, which"));
    QVERIFY(refused("BFloat16Storage").has_value());
  }

  /// What torch writes from 2.1 on for dtypes that have no storage class.
  void dtypes_of_storages_of_bytes() {
    const std::string data("\1\0\0\x80\xff\xff\0\0", 8);
    QCOMPARE(*reals_of(torch_archive(pickled(pickled_tensor_of_bytes("uint16", {3})), data)), (Reals{1, 32768, 65535}));
    QCOMPARE(*reals_of(torch_archive(pickled(pickled_tensor_of_bytes("uint32", {2})), data)),
             (Reals{2147483649, 65535}));
    QCOMPARE(*reals_of(torch_archive(pickled(pickled_tensor_of_bytes("uint64", {1})), std::string(8, '\0'))),
             (Reals{0}));
    for (const char* dtype : {"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn_x2", "bits8", "uint4"}) {
      const auto values = reals_of(torch_archive(pickled(pickled_tensor_of_bytes(dtype, {3})), data));
      QVERIFY(values.error().message.starts_with(std::string("t.pt: the tensor has dtype ") + dtype +
                                                 ", which cannot be read; must be bool, int8 to int64"));
    }
  }

  void tensors_within_other_calls() {
    const auto read = [](const std::string& opcodes) {
      return reals_of(torch_archive(pickled(opcodes), floats({1, 2, 3, 4})));
    };
    const std::string tensor = pickled_tensor({2}, {1}, 1);
    const std::string hooks = "ccollections\nOrderedDict\n)R";
    QCOMPARE(*read("ctorch._utils\n_rebuild_parameter\n(" + tensor + "\x88" + hooks + "tR"), (Reals{2, 3}));
    QCOMPARE(*read("ctorch._utils\n_rebuild_parameter_with_state\n(" + tensor + "\x88" + hooks + "}tR"), (Reals{2, 3}));
    QCOMPARE(*read("ctorch._utils\n_rebuild_device_tensor_from_cpu_tensor\n(" + tensor + "ctorch\nfloat32\n" +
                   pickled_text("xla:0") + "\x89tR"),
             (Reals{2, 3}));
    const std::string arguments = tensor.substr(tensor.find("(("), tensor.size() - tensor.find("((") - 1);
    QCOMPARE(*read("ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n_rebuild_tensor_v2\nctorch\nTensor\n" +
                   arguments + "}(" + pickled_text("note") + pickled_text("a tag") + "utR"),
             (Reals{2, 3}));
    QCOMPARE(
        *read("ctorch._utils\n_rebuild_parameter\n(ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n_rebuild_"
              "tensor_v2\nctorch\nTensor\n" +
              arguments + "}tR\x88" + hooks + "tR"),
        (Reals{2, 3}));
  }

  void tensors_that_are_not_read() {
    const std::string tensor = pickled_tensor({2}, {1});
    const auto refused = [](const std::string& opcodes) {
      return reals_of(torch_archive(pickled(opcodes), floats({1, 2, 3, 4})));
    };
    COMPARE_ERROR(refused("ctorch._utils\n_rebuild_sparse_tensor\n(ctorch.serialization\n_get_layout\n(" +
                          pickled_text("torch.sparse_coo") + "tR(" + tensor + tensor + pickled_tuple({2, 2}) + "ttR"),
                  "t.pt: the tensor is sparse; save x.to_dense()");
    COMPARE_ERROR(refused("ctorch._utils\n_rebuild_nested_tensor\n(" + tensor + tensor + tensor + tensor + "tR"),
                  "t.pt: the tensor is nested; save its parts");
    COMPARE_ERROR(refused("ctorch.nested._internal.nested_tensor\n_rebuild_njt\n(" + tensor + "tR"),
                  "t.pt: the tensor is nested; save its parts");
    COMPARE_ERROR(refused("ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n(K\2t(K\1t\x89tR"),
                  "t.pt: the tensor has no data: it is on device meta");
    const std::string negative = tensor.substr(0, tensor.size() - 2) + "}" + pickled_text("neg") + "\x88stR";
    COMPARE_ERROR(refused(negative), "t.pt: the tensor is a negative or conjugate view; save x.clone()");
  }

  /// A batch as a tokenizer or a collator returns it, and what stands beside tensors in other files.
  void data_classes_are_dictionaries() {
    const std::string entries = "}(" + pickled_text("attention_mask") + pickled_tensor({2}, {1}) +
                                pickled_text("input_ids") + pickled_tensor({2}, {1}, 2) + "u";
    const auto read = [&](const std::string& opcodes, const std::string& name) {
      return reals_of(torch_archive(pickled(opcodes), floats({1, 2, 3, 4})), name);
    };
    const std::string state = "}(" + pickled_text("data") + entries + pickled_text("encodings") + "Nub";
    for (const char* name : {"transformers.tokenization_utils_base\nBatchEncoding", "collections\nUserDict",
                             "transformers.feature_extraction_utils\nBatchFeature"})
      QCOMPARE(*read(std::string("c") + name + "\n)\x81" + state, "input_ids"), (Reals{3, 4}));
    const std::string fast = "}(" + pickled_text("data") + entries + pickled_text("encodings") +
                             "]ctokenizers\nEncoding\n)\x81" + "C\3abcba" + "ub";
    QCOMPARE(*read("ctransformers.tokenization_utils_base\nBatchEncoding\n)\x81" + fast, "attention_mask"),
             (Reals{1, 2}));
    QCOMPARE(
        *read("ccollections\ndefaultdict\ncbuiltins\nlist\n\x85R(" + pickled_text("x") + pickled_tensor({2}, {1}) + "u",
              "x"),
        (Reals{1, 2}));
    for (const char* name : {"argparse\nNamespace", "types\nSimpleNamespace"})
      QCOMPARE(
          *read(std::string("c") + name + "\n)\x81}(" + pickled_text("mask") + pickled_tensor({2}, {1}) + "ub", "mask"),
          (Reals{1, 2}));
    for (const std::string& beside :
         {"ctorch\ndevice\n" + pickled_text("cpu") + "\x85R", std::string("ctorch\nbfloat16\n"),
          std::string("cnumpy\nfloat32\n"), "cpathlib\nPosixPath\n" + pickled_text("/data") + "\x85R",
          "cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n" + pickled_text("f4") + "\x89\x88\x87R(K\3" +
              pickled_text("<") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffI0\ntbC\4abcdtR"})
      QCOMPARE(*read("}(" + pickled_text("other") + beside + pickled_text("mask") + pickled_tensor({2}, {1}) + "u", ""),
               (Reals{1, 2}));
  }

  void a_name_outside_refuses_the_whole_file() {
    const std::string evil = pickled("}(" + pickled_text("mask") + pickled_tensor({1}, {1}) + pickled_text("x") +
                                     "cos\nsystem\n(" + pickled_text("id") + "tRu");
    const auto values = reals_of(torch_archive(evil, floats({1})), "mask");
    QVERIFY(!values &&
            values.error().message.starts_with("t.pt: it names os.system, which a file of tensors does not need"));
  }

  /// As a collator returns them that makes no tensors.
  void lists_of_numbers_are_arrays() {
    const auto list = [](const std::vector<int>& numbers) {
      std::string opcodes = "](";
      for (const int number : numbers) opcodes += std::string("K") + static_cast<char>(number);
      return opcodes + "e";
    };
    const std::string batch =
        pickled("}(" + pickled_text("attention_mask") + "](" + list({1, 1, 0}) + list({1, 1, 1}) + "e" +
                pickled_text("ragged") + "](" + list({1}) + list({1, 2}) + "e" + pickled_text("betas") + "G" +
                std::string(8, '\0') + "\x85" + pickled_text("texts") + "](" + pickled_text("a") + "e" +
                pickled_text("inner") + "}(" + pickled_text("x") + list({9}) + "u" + "u");
    QCOMPARE(*reals_of(batch, "attention_mask"), (Reals{1, 1, 0, 1, 1, 1}));
    QCOMPARE(*reals_of(batch, "attention_mask[1]"), (Reals{1, 1, 1}));
    QCOMPARE(*reals_of(batch, "inner.x"), (Reals{9}));
    const std::string ragged = "is a list of lists of unequal length; pad them to one length";
    COMPARE_ERROR(reals_of(batch, "ragged"), "t.pt: tensor ragged " + ragged);
    const auto listed = list_tensors(source_of(batch), "t.pt", TensorUse::cells);
    QVERIFY(listed && listed->size() == 2);
    COMPARE_TEXT((*listed)[0].name + " " + (*listed)[0].dtype, "attention_mask int64");
    QCOMPARE((*listed)[0].shape, (std::vector<Index>{2, 3}));
    COMPARE_TEXT((*listed)[1].problem, "tensor ragged " + ragged);
    QCOMPARE(*reals_of(pickled(list({3, 4}))), (Reals{3, 4}));
    // A tensor is the one that is meant where no name is given.
    const std::string mixed = torch_archive(
        pickled("}(" + pickled_text("ids") + list({1}) + pickled_text("mask") + pickled_tensor({4}, {1}) + "u"),
        floats({0, 1, 2, 3}));
    QCOMPARE(*reals_of(mixed), (Reals{0, 1, 2, 3}));
    QCOMPARE(*reals_of(mixed, "ids"), (Reals{1}));
  }

  void whole_numbers_as_keys() {
    const auto read = [&](const std::string& opcodes, const std::string& name) {
      return reals_of(torch_archive(pickled(opcodes), floats({5, 6, 7, 8})), name);
    };
    const std::string numbered =
        "}(" + std::string("K\0", 2) + pickled_tensor({1}, {1}) + "K\1" + pickled_tensor({1}, {1}, 1) + "u";
    QCOMPARE(*read(numbered, "[1]"), (Reals{6}));
    QCOMPARE(*read("}(" + pickled_text("state") + numbered + "u", "state[0]"), (Reals{5}));
    QCOMPARE(*read("}(" + pickled_text("state") + numbered + "u", "state.1"), (Reals{6}));
    QVERIFY(!read(numbered, "[2]"));
    const std::string optimizer = "}(" + pickled_text("state") + numbered + pickled_text("param_groups") + "]u";
    const auto opened = TorchFile::open(source_of(torch_archive(pickled(optimizer), floats({5, 6}))), FileKind::torch);
    QVERIFY(opened && opened->is_optimizer_state());
    COMPARE_ERROR(read(optimizer, ""),
                  "t.pt is a torch file of an optimizer state: 2 tensors, name one of them as FILE:NAME: state.0 "
                  "float32 (1,), state.1 float32 (1,)");
  }

  void a_compressed_pickle_is_bounded() {
    ZipBytes zip;
    zip.add("a/data.pkl", pickled("X" + number_bytes(17'000'000, 4) + std::string(17'000'000, 'a')), true);
    COMPARE_ERROR(
        reals_of(zip.bytes()),
        "t.pt: data.pkl is compressed and has 17000008 bytes but must be at most 16777216, or not compressed");
  }

  void values_that_hold_themselves() {
    COMPARE_ERROR(reals_of(pickled("]q\1h\1a")), "t.pt: it holds no tensor");
    COMPARE_ERROR(reals_of(pickled(std::string(100, ']') + std::string(99, 'a'))),
                  "t.pt: its values are nested more than 64 levels deep");
    const std::string tensor = pickled_tensor({1}, {1});
    QCOMPARE(*reals_of(torch_archive(pickled("]q\1(h\1" + tensor + "h\1e"), floats({7, 8, 9, 10}))), (Reals{7}));
    std::string laughs;
    for (char i = 0; i < 60; ++i) laughs += std::string("](h") + i + "h" + i + "eq" + static_cast<char>(i + 1);
    COMPARE_ERROR(reals_of(pickled("]q" + std::string(1, '\0') + laughs)), "t.pt: it holds no tensor");
    COMPARE_ERROR(reals_of(torch_archive(pickled(tensor + "q" + std::string(1, '\0') + laughs), floats({7, 8, 9, 10}))),
                  "t.pt: it holds the same values at more than 16384 places");
    // A long list at many places is not looked at again and again.
    std::string places = "](" + std::string(900'000, 'N') + tensor + "eq\1](";
    for (int i = 0; i < 16'000; ++i) places += "h\1";
    COMPARE_ERROR(reals_of(torch_archive(pickled(places + "e"), floats({7, 8, 9, 10}))),
                  "t.pt: it holds the same values at more than 16384 places");
    const std::string key = pickled_text(std::string(4'000, 'k'));
    std::string long_names = tensor + "q\1](";
    for (int i = 0; i < 6'000; ++i) long_names += "}" + key + "h\1s";
    COMPARE_ERROR(reals_of(torch_archive(pickled(long_names + "e"), floats({7, 8, 9, 10}))),
                  "t.pt: the names of its tensors have more than 16777216 bytes");
    COMPARE_ERROR(reals_of(pickled("}")), "t.pt: it holds no tensor");
  }

  void listed_with_their_paths() {
    const auto tensors =
        list_tensors(*open_file(dataPath("torch/nested.pt").toStdString()), "nested.pt", TensorUse::cells);
    QVERIFY(tensors && tensors->size() == 2);
    COMPARE_TEXT((*tensors)[1].name, "layers[0].q");
    QCOMPARE((*tensors)[1].shape, (std::vector<Index>{3, 2}));
  }
};

VQSCOPE_TEST(TorchFileTest)
#include "torch_file_test.moc"
