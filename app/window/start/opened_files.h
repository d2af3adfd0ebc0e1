// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/tensor/tensor_file.h"
#include "widgets/import/attention_tensors.h"

#include <QStringList>

#include <optional>

namespace vqscope {

/// What files are that are opened together. folder: one without a model, which can be watched.
enum class OpenedAs { session, mask, model, models, tensors, folder };

struct OpenedFiles {
  QStringList paths;  ///< at least one
  OpenedAs as = OpenedAs::session;
  std::optional<FileTensor> mask = {};  ///< beside queries and keys
};

/// What a file is, by its bytes or, if it cannot be read, by its name: opening it reports the error.
/// Several are two models, or queries, keys and values with or without their mask. Refuses a file
/// that is of no such kind, other files that do not go together, and several of which one cannot be
/// read. `paths` has at least one.
Result<OpenedFiles> recogniseFiles(const QStringList& paths);

}  // namespace vqscope
