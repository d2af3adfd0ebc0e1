// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/attention_tensors.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/npy/npy_header.h"
#include "core/io/tensor/tensor_name.h"
#include "widgets/parts/text.h"

#include <QFileInfo>

#include <algorithm>
#include <numeric>

namespace vqscope {
namespace {

constexpr std::array<const char*, 3> parameters{"q_tensor", "k_tensor", "v_tensor"};

/// Dimensions before those of heads, tokens and d.
std::size_t samplesOf(const FileTensor& tensor) {
  const std::size_t rank = tensor.tensor.shape.size();
  return rank > 3 ? rank - 3 : 0;
}

/// "q.npy:q" without the folder of the file.
std::string titleOf(const FileTensor& tensor) {
  return tensor_name_text({shownPath(QFileInfo(textOfBytes(tensor.file)).fileName()), tensor.tensor.name, {}});
}

NamedShape sampleShape(const FileTensor& tensor) {
  const auto& shape = tensor.tensor.shape;
  return {titleOf(tensor), {shape.begin() + static_cast<std::ptrdiff_t>(samplesOf(tensor)), shape.end()}};
}

/// Tensor and indices of the chosen sample; one sample serves all.
std::string nameOf(const FileTensor& tensor, const std::vector<Index>& samples) {
  std::vector<Index> indices;
  for (std::size_t i = 0; i < samplesOf(tensor); ++i)
    indices.push_back(tensor.tensor.shape[i] == 1 || i >= samples.size() ? 0 : samples[i]);
  return tensor_name_text({tensor.file, tensor.tensor.name, std::move(indices)});
}

/// Queries, keys and, if chosen, values.
Result<std::vector<const FileTensor*>> chosenOf(const std::vector<FileTensor>& tensors, const QkvRoles& roles) {
  if (!roles[0] || !roles[1]) return invalid("choose queries and keys");
  std::vector<const FileTensor*> chosen;
  for (const auto& role : roles)
    if (role) chosen.push_back(&tensors[*role]);
  for (const FileTensor* each : chosen)
    if (samplesOf(*each) != samplesOf(*chosen[0]))
      return invalid("{} and {} must have the same number of dimensions", shownTensor(*chosen[0]), shownTensor(*each));
  return chosen;
}

/// Checks that two tensors have what attention requires of q and k, or of k and v.
Result<void> checkPair(const FileTensor& a, const FileTensor& b, HeadLayout layout, bool sameWidth) {
  const NamedShape first = sampleShape(a), second = sampleShape(b);
  if (tokens_of(first.shape, layout) != tokens_of(second.shape, layout))
    return invalid("{} and {} must have as many tokens", shownTensor(a), shownTensor(b));
  if (sameWidth && first.shape.back() != second.shape.back())
    return invalid("{} and {} must have the same number of dimensions a head", shownTensor(a), shownTensor(b));
  const Index heads = heads_of(first.shape, layout), shared = heads_of(second.shape, layout);
  if (shared > 0 && heads % shared == 0) return {};
  return invalid("{} and {} must have as many heads, or several heads of the queries for each of the keys",
                 shownTensor(a), shownTensor(b));
}

}  // namespace

std::string shownTensor(const FileTensor& tensor) {
  const TensorName name{shownPath(QFileInfo(textOfBytes(tensor.file)).fileName()), tensor.tensor.name, {}};
  return tensor_name_text(name) + " " + NpyHeader{.shape = tensor.tensor.shape}.shape_text();
}

Result<std::vector<FileTensor>> tensorsOfFiles(const QStringList& paths) {
  std::vector<FileTensor> all;
  for (const auto& path : paths) {
    const std::string name = bytesOf(path);
    const auto file = open_file(name);
    if (!file) return file.error();
    auto tensors = list_tensors(*file, name);
    if (!tensors) return tensors.error();
    for (auto& tensor : *tensors) all.push_back({name, std::move(tensor)});
  }
  return all;
}

std::optional<AttentionFiles> attentionFiles(const QStringList& paths) {
  if (!std::ranges::all_of(paths, [](const QString& path) { return QFileInfo(path).isFile(); })) return std::nullopt;
  const auto tensors = tensorsOfFiles(paths);
  if (!tensors) return std::nullopt;
  const auto roles = guessed_roles(*tensors);
  if (!roles[0] || !roles[1]) return std::nullopt;
  return AttentionFiles{mask_among(*tensors)};
}

bool looksLikeAttention(const QStringList& paths) {
  if (paths.size() < 2 || paths.size() > 3) return false;
  const auto tensors = tensorsOfFiles(paths);
  if (!tensors || std::ssize(*tensors) != paths.size()) return false;
  const auto isMatrix = [](const FileTensor& each) {
    const auto& shape = each.tensor.shape;
    return each.is_usable() && shape.size() >= 2 && shape[shape.size() - 1] != shape[shape.size() - 2];
  };
  if (!std::ranges::all_of(*tensors, isMatrix)) return false;
  std::vector<std::size_t> order(tensors->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    QkvChoice choice;
    for (std::size_t role = 0; role < order.size(); ++role) choice.roles[role] = order[role];
    if (attentionValues(*tensors, choice)) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

std::size_t sampleDimensions(const std::vector<FileTensor>& tensors, const QkvRoles& roles) {
  return roles[0] ? samplesOf(tensors[*roles[0]]) : 0;
}

Result<ChosenLayout> layoutOf(const std::vector<FileTensor>& tensors, const QkvChoice& choice) {
  const auto chosen = chosenOf(tensors, choice.roles);
  if (!chosen) return chosen.error();
  std::vector<NamedShape> shapes;
  for (const FileTensor* each : *chosen) shapes.push_back(sampleShape(*each));
  return choose_layout(shapes, choice.layout);
}

Result<ParameterValues> attentionValues(const std::vector<FileTensor>& tensors, const QkvChoice& choice) {
  const auto layout = layoutOf(tensors, choice);
  if (!layout) return layout.error();
  const FileTensor& queries = tensors[*choice.roles[0]];
  const FileTensor& keys = tensors[*choice.roles[1]];
  if (auto checked = checkPair(queries, keys, layout->layout, true); !checked) return checked.error();
  if (choice.roles[2])
    if (auto checked = checkPair(keys, tensors[*choice.roles[2]], layout->layout, false); !checked)
      return checked.error();
  ParameterValues values;
  for (std::size_t role = 0; role < choice.roles.size(); ++role)
    values.set(parameters[role],
               choice.roles[role] ? nameOf(tensors[*choice.roles[role]], choice.samples) : std::string());
  const auto shape = sampleShape(queries).shape;
  values.set("q_length", tokens_of(shape, layout->layout));
  if (shape.size() < 3) return values;
  values.set("head", std::clamp<Index>(choice.head, 0, heads_of(shape, layout->layout) - 1));
  values.set("tensor_layout", std::string(layout->layout == HeadLayout::heads_first ? "heads_first" : "tokens_first"));
  values.set("num_heads", heads_of(shape, layout->layout));
  values.set("num_key_value_heads", heads_of(sampleShape(keys).shape, layout->layout));
  return values;
}

}  // namespace vqscope
