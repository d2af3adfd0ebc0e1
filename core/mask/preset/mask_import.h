// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/mask_array.h"
#include "core/mask/import/mask_file.h"
#include "core/method/parameter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A mask from a file: a text of the mask language, or cells.
struct MaskImport {
  Variant<std::string, std::shared_ptr<const ImportedMask>> mask;
  std::string sentence;  ///< how it was read, for the user to confirm: "boolean: true is visible, because …"
  std::vector<std::string> warnings;  ///< for cells; for a text, see mask_text_warnings()
  ImportedReading reading = {};       ///< of an imported mask
  std::vector<Index> leading = {};    ///< of an imported mask: sizes of the dimensions before q and kv
  std::optional<MaskFile> file = {};  ///< of an imported mask

  bool is_text() const { return mask.index() == 0; }
};

/// Whether the file is a mask by its first bytes, or by its suffix if it cannot be read.
bool is_mask_file(const std::string& path);

/// Reads the cells of a table, an image or a tensor (FILE:NAME where the file has several), or a
/// text; "-" is standard input. Errors name the file and the place in it.
Result<MaskImport> import_mask(const std::string& path, const ImportOptions& options = {});

/// The same of a file that is open.
Result<MaskImport> import_mask(const MaskInput& input, const ImportOptions& options = {});

/// Whether cells are real numbers of which none masks a cell, so that the file may be no mask.
bool masks_nothing(const MaskImport& import);

/// Refuses numbers that mask nothing, with other numbers of rows and columns, unless the options say
/// how they are read: they are vectors q, k or v.
Result<void> refuse_vectors(const std::string& path, const MaskImport& import, const ImportOptions& options);

/// "4 x 512 x 64 numbers": the shape of imported cells with the dimensions before them.
std::string numbers_text(const MaskImport& import);

/// Cells read as those of the file's other masks: see read_as().
MaskImport read_import_as(const MaskImport& import, const ImportedReading& of_the_file, const std::string& evidence);

/// The values of `visibility` with the imported mask. A text keeps the sequence; cells set its
/// lengths.
Result<ParameterValues> with_import(const ParameterValues& values, const MaskImport& import);

/// Sets a list of integers or reals to the numbers of a one-dimensional array, FILE or FILE:NAME. A
/// free array of a mask's text may have several dimensions and hold truth values. Errors begin with
/// the path.
Result<void> read_array_file(const ParameterSpec& spec, const std::string& path, ParameterValues& values);

}  // namespace vqscope
