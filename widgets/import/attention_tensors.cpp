// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/attention_tensors.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/npy/npy_header.h"
#include "core/io/tensor/tensor_name.h"
#include "widgets/parts/text.h"

#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::array<const char*, 3> parameters{"q_tensor", "k_tensor", "v_tensor"};

QString stemOf(const FileTensor& tensor) { return QFileInfo(textOfBytes(tensor.file)).completeBaseName(); }

bool isNamedMask(const FileTensor& tensor) {
  return textOfBytes(tensor.tensor.name).contains(QLatin1String("mask"), Qt::CaseInsensitive) ||
         stemOf(tensor).contains(QLatin1String("mask"), Qt::CaseInsensitive);
}

/// The indices of the tensor's leading dimensions that belong to those of the queries.
Result<std::vector<Index>> leadingOf(const FileTensor& tensor, const FileTensor& queries,
                                     const std::vector<Index>& leading) {
  const auto& shape = tensor.tensor.shape;
  const auto& of_queries = queries.tensor.shape;
  if (shape.size() != of_queries.size())
    return invalid("{} and {} must have the same number of dimensions", shownTensor(queries), shownTensor(tensor));
  std::vector<Index> indices;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
    if (shape[i] == 0 || of_queries[i] % shape[i] != 0)
      return invalid("{} and {} must have as many heads, or several heads of the queries for each of the keys",
                     shownTensor(queries), shownTensor(tensor));
    const Index chosen = i < leading.size() ? leading[i] : 0;
    indices.push_back(chosen / (of_queries[i] / shape[i]));
  }
  return indices;
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

bool areAttentionTensors(const QStringList& paths) {
  if (!std::ranges::all_of(paths, [](const QString& path) { return QFileInfo(path).isFile(); })) return false;
  const auto tensors = tensorsOfFiles(paths);
  if (!tensors || std::ranges::any_of(*tensors, isNamedMask)) return false;
  const auto roles = guessed_roles(*tensors);
  return roles[0] && roles[1];
}

Result<ParameterValues> attentionValues(const std::vector<FileTensor>& tensors, const QkvRoles& roles,
                                        const std::vector<Index>& leading) {
  if (!roles[0] || !roles[1]) return invalid("choose queries and keys");
  const FileTensor& queries = tensors[*roles[0]];
  const FileTensor& keys = tensors[*roles[1]];
  ParameterValues values;
  values.set("data", std::string("tensors"));
  for (std::size_t role = 0; role < roles.size(); ++role) {
    std::string name;
    if (roles[role]) {
      const FileTensor& tensor = tensors[*roles[role]];
      auto indices = leadingOf(tensor, queries, leading);
      if (!indices) return indices.error();
      const auto& shape = tensor.tensor.shape;
      if (shape[shape.size() - 2] != keys.tensor.shape[keys.tensor.shape.size() - 2])
        return invalid("{} and {} must have as many tokens", shownTensor(tensor), shownTensor(keys));
      if (role == 0 && shape.back() != keys.tensor.shape.back())
        return invalid("{} and {} must have the same number of dimensions a head", shownTensor(queries),
                       shownTensor(keys));
      name = tensor_name_text({tensor.file, tensor.tensor.name, std::move(*indices)});
    }
    values.set(parameters[role], name);
  }
  values.set("q_length", keys.tensor.shape[keys.tensor.shape.size() - 2]);
  return values;
}

}  // namespace vqscope
