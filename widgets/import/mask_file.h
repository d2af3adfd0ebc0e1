// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/mask_dump.h"

#include <QString>

#include <optional>

namespace vqscope {

/// What a path says that is of a .npz or .safetensors file, or of one matrix of a .npy file: m.npz:mask, m.npy[0,3].
/// Nothing: it is another file's.
std::optional<TensorName> maskTensor(const QString& path);

/// A mask dump by its extension: .npy, .csv, .txt, .tsv or .png; .npz and .safetensors with the tensor's name after a
/// colon where they hold several. Errors begin with the path.
Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options = {});

}  // namespace vqscope
