// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture_info.h"
#include "core/capture/store/stored_numbers.h"
#include "core/capture/store/tensor_role.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The tensors of a layer.
using CapturedLayer = std::map<TensorRole, CapturedTensor>;

/// What of the inputs was kept.
struct CapturedInputs {
  std::vector<Index> input_ids;  ///< [batch, tokens]; empty: not kept; likewise the others
  std::vector<Index> attention_mask;
  std::vector<Index> cu_seqlens;
  std::vector<Index> cache_position;
  Index batch = 0;   ///< of input_ids or attention_mask; 0: neither is there
  Index tokens = 0;  ///< of them
};

/// What the attention layers of a model saw: a folder of one file a layer (and step), or a single
/// file. Only heads of files are read to open it.
struct Capture {
  std::string path;
  CaptureInfo info;
  CapturedInputs inputs;
  std::map<Index, CapturedLayer> layers;
  Index step = 0;            ///< the one whose layers these are: the newest
  std::vector<Index> steps;  ///< that the folder has
  bool is_whole = false;     ///< capture.json is there
  std::vector<std::string> remarks;

  /// Opens the newest step, or `step`. Errors name the file, and what is allowed.
  static Result<Capture> open(const std::string& path, std::optional<Index> step = {});

  const CapturedTensor* find(Index layer, TensorRole role) const;
};

}  // namespace vqscope
