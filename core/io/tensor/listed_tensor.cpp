// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/listed_tensor.h"

#include "core/base/sentence.h"
#include "core/io/npy/npy_header.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longest_listed_name = 60;
/// Of a sentence about a file, without the file's name, in characters.
constexpr std::size_t longest_sentence = 290;

/// As many texts as there is room for.
std::string first_of(const std::vector<std::string>& texts, std::size_t room) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + texts[i];
    if (i > 0 && all.size() + next.size() > room) return fmt::format("{} and {} more", all, texts.size() - i);
    all += next;
  }
  return all;
}

}  // namespace

std::string listed_text(std::span<const ListedTensor> tensors, std::size_t room) {
  std::vector<std::string> names;
  std::string with_shapes;
  for (const auto& tensor : tensors) {
    names.push_back(tensor.name.empty() ? "the tensor" : shortened(tensor.name, longest_listed_name));
    if (with_shapes.size() <= room)
      with_shapes += fmt::format("{}{} {} {}", with_shapes.empty() ? "" : ", ", names.back(),
                                 shortened(tensor.dtype, 20), shortened(NpyHeader{.shape = tensor.shape}.shape_text()));
  }
  const bool has_shapes = std::ranges::all_of(tensors, [](const auto& each) { return !each.dtype.empty(); });
  return has_shapes && with_shapes.size() <= room ? with_shapes : first_of(names, room);
}

Error no_such_tensor(std::string_view wanted, std::span<const ListedTensor> tensors, std::string_view what) {
  if (tensors.empty()) return invalid("it holds no tensor");
  if (wanted.empty()) {
    const std::string begin = fmt::format("{}{} tensors, name one of them as FILE:NAME: ",
                                          what.empty() ? "it holds " : fmt::format("is {}: ", what), tensors.size());
    return invalid(begin + listed_text(tensors, longest_sentence - begin.size()));
  }
  std::vector<std::string> names;
  for (const auto& tensor : tensors) names.push_back(shortened(tensor.name, longest_listed_name));
  const std::string begin = fmt::format("it holds no tensor {}, only ", shortened(wanted));
  const std::string end = did_you_mean(wanted, names);
  return invalid(begin + listed_text(tensors, longest_sentence - begin.size() - end.size()) + end);
}

Error no_tensor(std::string_view wanted, std::string_view what, std::span<const ListedTensor> tensors) {
  const std::string begin = fmt::format("{} is {}; it holds ", shortened(wanted), what);
  return invalid(begin + listed_text(tensors, longest_sentence - begin.size()));
}

std::string tensor_title(std::string_view name) { return name.empty() ? "the tensor" : "tensor " + shortened(name); }

}  // namespace vqscope
