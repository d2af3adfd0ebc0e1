// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/qkv/qkv_names.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace vqscope {

/// "q.npz:q (512, 64)": the file without its folder.
std::string shownTensor(const FileTensor& tensor);

/// The tensors of the files, in their order. Errors name the file.
Result<std::vector<FileTensor>> tensorsOfFiles(const QStringList& paths);

/// Files that hold queries and keys by their names.
struct AttentionFiles {
  std::optional<FileTensor> mask = {};  ///< beside them, by its name
};

/// Nothing if the names give no queries or no keys, or if a file cannot be read.
std::optional<AttentionFiles> attentionFiles(const QStringList& paths);

/// Whether files of one tensor each, whose names do not say so, have the shapes of queries, keys and
/// values, or of queries and keys: two or three of real numbers that are not square.
bool looksLikeAttention(const QStringList& paths);

/// What is chosen among tensors.
struct QkvChoice {
  QkvRoles roles = {};
  std::vector<Index> samples = {};   ///< indices of the dimensions before those of heads, tokens and d
  Index head = 0;                    ///< of the queries
  std::string layout = "automatic";  ///< a value of tensor_layout
  Index sample_count = 0;            ///< of the only dimension of samples; 0: there is none, or several
};

/// Dimensions of samples that the queries have; 0 without queries.
std::size_t sampleDimensions(const std::vector<FileTensor>& tensors, const QkvRoles& roles);

/// The layout of the chosen tensors, or why they do not belong together.
Result<ChosenLayout> layoutOf(const std::vector<FileTensor>& tensors, const QkvChoice& choice);

/// The shared parameters of tensors, as methods that read tensors take them, and the length of their
/// sequence. Several heads of the queries can share one of the keys. Refuses tensors that do not
/// belong together.
Result<ParameterValues> attentionValues(const std::vector<FileTensor>& tensors, const QkvChoice& choice);

}  // namespace vqscope
