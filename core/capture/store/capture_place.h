// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string>

namespace vqscope {

/// A capture that a path means.
struct CapturePlace {
  std::string folder;          ///< or the file of all layers
  std::optional<Index> step;   ///< of a file of one layer
  std::optional<Index> layer;  ///< likewise
};

/// Told by names alone: a folder with capture.json, or without a model's config but with files of
/// layers or of a known dump; a layer's file in such a folder, with another layer or capture.json
/// beside it. A file NAME.capture.safetensors. Nothing: no capture.
std::optional<CapturePlace> find_capture(const std::string& path);

}  // namespace vqscope
