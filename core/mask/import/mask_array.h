// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_file.h"
#include "core/mask/import/imported_rows.h"

#include <optional>
#include <string>

namespace vqscope {

/// An NPY file: [q, kv], [batch or head, q, kv] or [batch, head, q, kv]; a leading dimension of 1
/// serves every index.
Result<ReadMask> read_npy_mask(const ByteSource& source, const ImportOptions& options = {});

/// The same of a tensor in a .npz or .safetensors file, or in .npy, of any dtype; `name.leading`
/// picks within the dimensions before those that `options` picks within. Errors name the file and
/// the tensor.
Result<ReadMask> read_tensor_mask(std::shared_ptr<const ByteSource> file, const TensorName& name,
                                  const ImportOptions& options = {});

/// 0/1, true/false or additive values between commas, semicolons, tabs or blanks. A first line that
/// does not begin with a number is a header; after the header cell `query\key`, or an empty one, so
/// is the first column. Errors name line and column.
Result<ReadMask> read_csv_mask(std::string_view text, const ImportOptions& options = {});

/// Row-major grey values, rows x cols of them; 128 and up is white. visible_true means that white
/// is visible.
Result<ReadMask> read_image_mask(std::span<const std::uint8_t> grey, Extent extent, const ImportOptions& options = {});

/// The parts of a path to a tensor in a .npz or .safetensors file, or to one matrix of a .npy file:
/// m.npz:mask, m.npy[0,3]. Nothing for other files.
std::optional<TensorName> mask_tensor(const std::string& path);

/// Reads an imported mask by its extension: .npy, .csv, .txt, .tsv or .png; .npz and .safetensors
/// with the tensor's name after a colon if they hold several. Errors begin with the path.
Result<ReadMask> read_mask_file(const std::string& path, const ImportOptions& options = {});

}  // namespace vqscope
