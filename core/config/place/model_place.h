// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <utility>

namespace vqscope {

/// Where a model lies that a file, a folder or an id names.
struct ModelPlace {
  std::string file;    ///< config.json, params.json or GGUF; "-" is standard input
  std::string folder;  ///< with its checkpoint and its tokenizer; empty: none
  std::string name;    ///< for titles: "ORG/NAME", "ORG/NAME@b1c2d3e4", the name of the folder or of the file
  /// The file for a session, which may be opened in another folder; empty: there is no file.
  std::string absolute_file() const;

  bool found = false;  ///< a folder or an id was given, so the file was found and not named
};

/// A path that exists wins over an id. A folder has a config.json, a params.json or a GGUF file, or
/// is that of a model or of a snapshot in a hub cache. A path of a file need not exist.
Result<ModelPlace> find_model(const std::string& given);

/// Names of two models, with as much of their folders as tells them apart.
std::pair<std::string, std::string> told_apart(const ModelPlace& a, const ModelPlace& b);

}  // namespace vqscope
