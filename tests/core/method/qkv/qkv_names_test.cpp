// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/qkv_names.h"

#include "core/io/npy/npy_writer.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

FileTensor tensor_of(const std::string& file, const std::string& name) {
  return {file, {.name = name, .dtype = "float32", .shape = {8, 4}}};
}

/// "0 2 -": places of queries, keys and values.
std::string roles_text(const std::vector<FileTensor>& tensors) {
  std::string text;
  for (const auto& role : guessed_roles(tensors))
    text += (text.empty() ? "" : " ") + (role ? std::to_string(*role) : "-");
  return text;
}

std::string roles_of_names(const std::vector<std::string>& names) {
  std::vector<FileTensor> tensors;
  for (const auto& name : names) tensors.push_back(tensor_of("m.npz", name));
  return roles_text(tensors);
}

}  // namespace

class QkvNamesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void roles_follow_from_names() {
    COMPARE_TEXT(roles_of_names({"v", "q", "k"}), "1 2 0");
    COMPARE_TEXT(roles_of_names({"query_states", "key_states", "value_states"}), "0 1 2");
    COMPARE_TEXT(roles_of_names({"q_proj", "k_proj", "v_proj"}), "0 1 2");
    COMPARE_TEXT(roles_of_names({"queryLayer", "keyLayer", "valueLayer"}), "0 1 2");
    COMPARE_TEXT(roles_of_names({"queries", "keys", "values"}), "0 1 2");
    COMPARE_TEXT(roles_of_names({"xq", "xk", "xv"}), "0 1 2");
    COMPARE_TEXT(roles_of_names({"key_valid", "key_padding_mask", "k", "q_norm", "q"}), "4 2 -");
    COMPARE_TEXT(roles_of_names({"q_rotated", "q", "k"}), "1 2 -");
    COMPARE_TEXT(roles_of_names({"k", "k_rot", "q", "q_rot", "v"}), "3 1 4");
    COMPARE_TEXT(roles_of_names({"q", "k", "l0.q_rot", "l0.k_rot", "l1.q_rot", "l1.k_rot"}), "0 1 -");
    COMPARE_TEXT(roles_of_names({"l0.q", "l1.q", "l0.k"}), "0 2 -");
    COMPARE_TEXT(roles_of_names({"attn.q_proj.weight", "attn.k_proj.weight"}), "- - -");
    COMPARE_TEXT(roles_of_names({"quick", "kernel", "vocab"}), "- - -");
    COMPARE_TEXT(
        roles_text({tensor_of("d/v.npy", ""), tensor_of("d/query.npy", ""), tensor_of("d/layer3-keys.npy", "")}),
        "1 2 0");
    COMPARE_TEXT(roles_text({tensor_of("q.npz", "k"), tensor_of("q.npz", "arr_0")}), "1 0 -");
  }

  void rotated_tensors_are_known_by_their_names() {
    QVERIFY(is_called_rotated("d/layer0.safetensors:q_rot[0,2]"));
    QVERIFY(is_called_rotated("layers.npz:l0.k_rot"));
    QVERIFY(!is_called_rotated("q_rot/layer0.safetensors:q"));
  }

  void tensors_that_are_no_real_matrix_have_no_role() {
    std::vector<FileTensor> tensors{tensor_of("q.npy", ""), tensor_of("k.npy", "")};
    tensors[0].tensor.shape = {8};
    tensors[1].tensor.problem = "the dtype must be real";
    COMPARE_TEXT(roles_text(tensors), "- - -");
  }

  void lists_are_in_order_unless_names_say_another() {
    COMPARE_TEXT(found("a.npy,b.npy,c.npy"), "a.npy b.npy c.npy");
    COMPARE_TEXT(found("a.npy,b.npy"), "a.npy b.npy ");
    COMPARE_TEXT(found("k.npy,q.npy,v.npy"), "q.npy k.npy v.npy");
    COMPARE_TEXT(found("t.npz:b[0,1],t.npz:a[0,1],t.npz:c[0,1]"), "t.npz:b[0,1] t.npz:a[0,1] t.npz:c[0,1]");
    COMPARE_TEXT(found("k.npy,a.npy,b.npy"), "k.npy a.npy b.npy");
    COMPARE_TEXT(found("a.npy,,c.npy"),
                 "qkv has 3 tensors, some of them without a name but must be 2 or 3 names: FILE:Q,FILE:K,FILE:V");
    COMPARE_TEXT(found("a.npy,b.npy,c.npy,d.npy"), "qkv has 4 tensors but must be 2 or 3 names: FILE:Q,FILE:K,FILE:V");
  }

  void tensors_of_one_file_are_found_by_name() {
    const QTemporaryDir folder;
    const std::string path = written(folder, "a.safetensors", {"value", "key", "query", "other"});
    COMPARE_TEXT(found(path), path + ":query " + path + ":key " + path + ":value");
    const std::string two = written(folder, "b.safetensors", {"q", "k"});
    COMPARE_TEXT(found(two), two + ":q " + two + ":k ");
  }

  void what_is_not_clear_is_refused() {
    const QTemporaryDir folder;
    const std::string layers = written(folder, "l.safetensors", {"l0.q", "l0.k", "l1.q", "l1.k"});
    COMPARE_TEXT(found(layers), layers +
                                    " holds 2 tensors that can be q: l0.q [2, 1], l1.q [2, 1]; name them: "
                                    "qkv=FILE:Q,FILE:K,FILE:V, or qkv=FILE:PREFIX");
    COMPARE_TEXT(found(layers + ":l1"), layers + ":l1.q " + layers + ":l1.k ");
    const std::string lists = written(folder, "n.safetensors", {"l[0].q", "l[0].k", "l[1].q", "l[1].k"});
    COMPARE_TEXT(found(lists + ":l[1]"), lists + ":l[1].q " + lists + ":l[1].k ");
    const std::string none = written(folder, "n.safetensors", {"q", "x"});
    COMPARE_TEXT(found(none), none +
                                  " holds no tensor that is called k, only q [2, 1], x [2, 1]; name them: "
                                  "qkv=FILE:Q,FILE:K,FILE:V");
    const std::string header = R"({"k":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                               R"("q":{"dtype":"F8_E4M3","shape":[2,1],"data_offsets":[8,10]}})";
    const std::string small =
        writtenFile(folder, "f8.safetensors",
                    QByteArray::fromStdString(std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') +
                                              header + std::string(10, '\0')))
            .toStdString();
    COMPARE_TEXT(found(small),
                 small + ": tensor q has dtype F8_E4M3: the dtype must be float16, bfloat16, float32 or float64");
    COMPARE_TEXT(found("none.npz"), "cannot read none.npz: No such file or directory");
  }

  void one_tensor_of_three_parts_is_split() {
    const QTemporaryDir folder;
    StringSink bytes;
    QVERIFY(write_npy(std::vector<Index>{3, 4, 2}, std::vector<float>(24), bytes, {}));
    const std::string path = writtenFile(folder, "qkv.npy", QByteArray::fromStdString(bytes.text())).toStdString();
    COMPARE_TEXT(found(path), path + "[0] " + path + "[1] " + path + "[2]");
  }

 private:
  static std::string found(const std::string& text) {
    const auto names = find_qkv(text);
    return names ? names->q + " " + names->k + " " + names->v : names.error().message;
  }

  static std::string written(const QTemporaryDir& folder, const QString& name, const std::vector<std::string>& names) {
    std::vector<NamedTensor> tensors;
    for (const auto& each : names) tensors.push_back({each, {2, 1}, std::vector<float>{1, 2}});
    StringSink bytes;
    if (!write_safetensors(tensors, bytes)) return "not written";
    return writtenFile(folder, name, QByteArray::fromStdString(bytes.text())).toStdString();
  }
};

VQSCOPE_TEST(QkvNamesTest)
#include "qkv_names_test.moc"
