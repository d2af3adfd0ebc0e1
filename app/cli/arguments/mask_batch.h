// SPDX-License-Identifier: GPL-3.0-or-later
// The masks of a file with a batch dimension or heads.
#pragma once

#include "core/mask/preset/mask_import.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The masks of --mask FILE that --batch and --head leave.
struct MaskBatch {
  Index samples = 1;          ///< as stored: B
  Index heads = 1;            ///< as stored: H
  Index samples_checked = 1;  ///< all, or the one of --batch
  Index heads_checked = 1;    ///< all, or the one of --head
  /// [samples_checked, heads_checked]; equal masks share one object.
  std::vector<std::shared_ptr<const MaskImport>> masks = {};

  std::size_t different() const;
};

/// Reads every mask of a file, all with one polarity, for one reason: the polarity that more masks
/// show by their cells. Says on stderr how they were read. Errors name the file; Errc::too_large if
/// the masks together have more intervals than one may have.
Result<MaskBatch> readMaskBatch(const std::string& path, const ImportOptions& options);

}  // namespace vqscope
