// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/tensor_tree.h"

#include <algorithm>
#include <string_view>

namespace vqscope {
namespace {

/// Of a name; the rest stays in one part, so that the tree is not deep.
constexpr std::size_t most_parts = 32;
constexpr std::size_t most_compared = 64;

/// "layers", "[0]", ".q" of "layers[0].q".
std::vector<std::string_view> parts_of_name(std::string_view name) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < most_parts) {
    const auto end = name.find_first_of(".[", 1);
    if (end == std::string_view::npos) break;
    parts.push_back(name.substr(0, end));
    name.remove_prefix(end);
  }
  parts.push_back(name);
  return parts;
}

/// A name in parts, with its place in the list.
struct SplitName {
  std::vector<std::string_view> parts;
  std::size_t place = 0;
};

void merge_single(TensorTree& tree) {
  while (!tree.label.empty() && tree.children.size() == 1 && !tree.tensor) {
    TensorTree only = std::move(tree.children.front());
    only.label = tree.label + only.label;
    tree = std::move(only);
  }
}

/// Names that belong together follow one another, so that only the last children are compared.
void insert(TensorTree& root, const SplitName& name) {
  TensorTree* node = &root;
  for (const auto part : name.parts) {
    const auto last = node->children.rbegin();
    const auto end = last + static_cast<std::ptrdiff_t>(std::min(node->children.size(), most_compared));
    const auto same = std::ranges::find(last, end, part, &TensorTree::label);
    if (same != end) {
      node = &*same;
      continue;
    }
    node->children.push_back({std::string(part), std::nullopt, {}});
    node = &node->children.back();
  }
  if (!node->tensor) {
    node->tensor = name.place;
    return;
  }
  node->children.push_back({"", name.place, {}});  // a name that occurs twice
}

void finish(TensorTree& tree) {
  for (TensorTree& child : tree.children) finish(child);
  merge_single(tree);
}

void trim(TensorTree& tree) {
  if (tree.label.starts_with('.') && tree.label.size() > 1) tree.label.erase(0, 1);
  for (TensorTree& child : tree.children) trim(child);
}

}  // namespace

TensorTree tensor_tree(std::span<const ListedTensor> tensors) {
  TensorTree root;
  for (std::size_t i = 0; i < tensors.size(); ++i) insert(root, {parts_of_name(tensors[i].name), i});
  finish(root);
  trim(root);
  return root;
}

}  // namespace vqscope
