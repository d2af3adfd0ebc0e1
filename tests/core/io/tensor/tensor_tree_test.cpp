// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_tree.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "a(q=0 k=1)": a label, the place of its tensor, and what follows it.
std::string outline(const TensorTree& tree) {
  std::string inside;
  for (const TensorTree& child : tree.children) inside += (inside.empty() ? "" : " ") + outline(child);
  return tree.label + (tree.tensor ? "=" + std::to_string(*tree.tensor) : "") +
         (inside.empty() ? "" : "(" + inside + ")");
}

std::string outline_of(const std::vector<std::string>& names) {
  std::vector<ListedTensor> tensors;
  for (const auto& name : names) tensors.push_back({name, "bool", {1}});
  return outline(tensor_tree(tensors));
}

}  // namespace

class TensorTreeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_are_cut_where_they_differ() {
    COMPARE_TEXT(outline_of({"q", "k"}), "(q=0 k=1)");
    COMPARE_TEXT(outline_of({"layers[0].q", "layers[0].k", "layers[1].q"}), "(layers([0](q=0 k=1) [1].q=2))");
    COMPARE_TEXT(outline_of({"attn.mask", "a", "a.b"}), "(attn.mask=0 a=1(b=2))");
    COMPARE_TEXT(outline_of({"[0]", "[1]"}), "([0]=0 [1]=1)");
    COMPARE_TEXT(outline_of({"a", "a"}), "(a=0(=1))");
    COMPARE_TEXT(outline_of({""}), "(=0)");
  }

  void long_names_are_not_deep() {
    std::string name = "a";
    for (int i = 0; i < 10'000; ++i) name += ".a";
    std::size_t depth = 0;
    const TensorTree tree = tensor_tree(std::vector<ListedTensor>{{name, "bool", {}}, {name + ".b", "bool", {}}});
    for (const TensorTree* node = &tree; !node->children.empty(); node = &node->children.front()) ++depth;
    QVERIFY(depth < 40);
  }
};

VQSCOPE_TEST(TensorTreeTest)
#include "tensor_tree_test.moc"
