// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"
#include "core/config/model_config.h"
#include "core/session/session_json.h"
#include "widgets/import/attention_tensors.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace vqscope {

/// What files are that are opened together. folder: one without a model or a capture, which can be watched.
enum class OpenedAs { session, mask, model, models, tensors, capture, captures, folder };

struct OpenedFiles {
  QStringList paths;  ///< at least one
  OpenedAs as = OpenedAs::session;
  std::optional<FileTensor> mask = {};  ///< beside queries and keys
  std::optional<Index> layer = {};      ///< of tensors; nothing: all
};

/// What a file is, by its bytes or, if it cannot be read, by its name: opening it reports the error.
/// Several are two models, two captures, or queries, keys and values with or without their mask. Refuses a file
/// that is of no such kind, other files that do not go together, and several of which one cannot be
/// read. `paths` has at least one.
Result<OpenedFiles> recogniseFiles(const QStringList& paths);
/// Of files with queries, keys and values: nothing else is looked for. `layer`: the one to take of a capture in one
/// file.
OpenedFiles recogniseTensors(const QStringList& paths, std::optional<Index> layer = {});

/// Files with what was read of them. A mask is read by the page of masks.
struct ReadFiles {
  OpenedFiles files;
  std::optional<OpenedSession> session = {};
  bool isEmbedded = false;                ///< the session is part of a report or a figure
  std::vector<OpenedConfig> models = {};  ///< one or two
  std::vector<FileTensor> tensors = {};
  TokenTexts tokens = {};              ///< of the capture that the tensors are from
  std::vector<Capture> captures = {};  ///< one or two
  std::optional<Index> layer = {};     ///< of the only one, whose file was opened
  bool isPath = false;                 ///< the only path names a file or folder, not a model of the cache
};

/// Reads a session, models, the names of tensors or the heads of a capture's files.
Result<ReadFiles> readFiles(const OpenedFiles& files);

/// Whether the files are compiled into the program, which reads them at once.
bool isCompiledIn(const QStringList& paths);

}  // namespace vqscope
