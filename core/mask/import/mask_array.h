// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/kind/file_kind.h"
#include "core/io/tensor/listed_tensor.h"
#include "core/io/tensor/tensor_file.h"
#include "core/mask/import/imported_rows.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// An NPY file: [q, kv], [batch or head, q, kv] or [batch, head, q, kv]; a leading dimension of 1
/// serves every index.
Result<ReadMask> read_npy_mask(const ByteSource& source, const ImportOptions& options = {});

/// The same of a tensor in a file of tensors, of any dtype. Errors name the file and the tensor.
Result<ReadMask> read_tensor_mask(const std::shared_ptr<const ByteSource>& file, const TensorName& name,
                                  const ImportOptions& options = {});

/// 0/1, true/false or additive values between commas, semicolons, tabs or blanks. A first line that
/// does not begin with a number is a header; after the header cell `query\key`, or an empty one, so
/// is the first column. Errors name line and column.
Result<ReadMask> read_csv_mask(std::string_view text, const ImportOptions& options = {});

/// Row-major grey values, rows x cols of them; 128 and up is white. visible_true means that white
/// is visible.
Result<ReadMask> read_image_mask(std::span<const std::uint8_t> grey, Extent extent, const ImportOptions& options = {});

/// The file of a mask, opened.
struct MaskInput {
  std::string path;  ///< FILE or FILE:NAME
  TensorName name;   ///< without a file's name in it where `known` has no tensors
  std::shared_ptr<const ByteSource> file;
  KnownFile known;
  std::shared_ptr<const StoredTensor> tensor = nullptr;  ///< of find_cells()
};

/// Opens FILE or FILE:NAME; "-" is standard input. Its first bytes decide what it is: a file of
/// tensors, a table, an image, or a text. Refuses other files by what they are.
Result<MaskInput> open_mask(const std::string& path);

/// Finds the tensor of a file of tensors once, for files that are read mask by mask: a compressed
/// one is inflated once. Errors name the file and the tensor.
Result<void> find_cells(MaskInput& input);

/// The tensors of a file of which a user is to choose a mask. Empty if one is named already, if there
/// are no two, and where reading the file reports what it is: one that cannot be listed, or the state
/// of an optimizer.
std::vector<ListedTensor> tensors_to_choose(const MaskInput& input);

/// Reads cells of a file that is no text. Errors begin with the path.
Result<ReadMask> read_mask_file(const MaskInput& input, const ImportOptions& options = {});

}  // namespace vqscope
