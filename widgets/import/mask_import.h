// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/mask_dump.h"
#include "core/method/parameter.h"

#include <QString>

#include <memory>

namespace vqscope {

/// A mask as a file has it: a text of the mask language, or cells.
struct MaskImport {
  Variant<std::string, std::shared_ptr<const DumpMask>> mask;
  std::string sentence;  ///< how it was read, for a person to confirm: "boolean: true is visible, because …"
  std::vector<std::string> warnings;  ///< of a dump; those of a text are mask_text_warnings()
  DumpReading reading = {};           ///< of a dump
  std::vector<Index> leading = {};    ///< of a dump: sizes of the dimensions before q and kv

  bool isText() const { return mask.index() == 0; }
};

/// Whether the file is a mask by its name: .py, .npy, .npz, .safetensors, .csv, .tsv, .txt, .png.
bool isMaskFile(const QString& path);

/// A dump by its extension (of a .txt by how it begins; m.npz:mask names a tensor), else a text; "-" is a text on
/// standard input. Errors name the file, and the place in it.
Result<MaskImport> importMask(const QString& path, const DumpOptions& options = {});

/// `visibility`'s values with the imported mask. A text is another mask over the same sequence, cells bring their
/// lengths.
Result<ParameterValues> withImport(const ParameterValues& values, const MaskImport& import);

/// Sets a parameter that is a list of integers or of reals to the numbers of a .npy file of one dimension; an array
/// that a mask's text leaves free may have several, and hold truth values. Errors begin with the path.
Result<void> readArrayFile(const ParameterSpec& spec, const QString& path, ParameterValues& values);

}  // namespace vqscope
