// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a mask as a page reads it.
#pragma once

#include "core/lint/batch/sample_values.h"
#include "core/mask/preset/mask_import.h"
#include "core/session/batch/batch_choice.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A text, one mask of cells, or the samples of a batch.
struct MaskReading {
  std::optional<MaskImport> import = {};               ///< nothing: a file of several arrays
  std::shared_ptr<const SampleBatch> batch = nullptr;  ///< null: one mask, or one of a large file of several
  std::string sentence = {};                           ///< how it was read
  std::vector<std::string> warnings = {};              ///< for cells
  bool has_two_readings = false;                       ///< a mask or an attention mask
  TokenTexts tokens = {};                              ///< of the sample; empty: the file has none
  BatchChoice choice = {};                             ///< what was read of the file

  /// With two readings, the queries that the rows are of a mask.
  Index queries_as_mask() const;
  /// With two readings, the samples that the rows are of an attention mask.
  Index samples_as_padding() const { return import && import->leading.empty() ? queries_as_mask() : samples(); }
  Index samples() const;
  Index heads() const;
  bool is_text() const { return import && import->is_text(); }
  /// Whether there is anything to choose.
  bool has_choice() const { return samples() * heads() > 1 || batch || has_two_readings; }
  /// Whether the session keeps the file: for its other samples, or as the name of a text.
  bool is_kept() const { return has_choice() || is_text(); }
  /// Of imported cells that have one.
  std::optional<double> threshold() const;
};

/// Reads the file of a mask for a choice, whose sample is that of the options, else the first one with
/// a real token. A large file of several masks is read only as far as one of them. `model_file`: beside
/// it, or beside the file, a tokenizer is looked for.
Result<MaskReading> read_for_choice(const BatchChoice& choice, const ImportOptions& options,
                                    const std::string& model_file);

/// The same for another sample of a batch that is read already.
MaskReading with_choice(const MaskReading& reading, Index sample, Index head, const std::string& model_file);

/// The values with what was read.
Result<SampleValues> with_reading(const SampleValues& before, const MaskReading& reading);

/// What differs between two contents of the file: in the sample that is shown, or in others.
std::string reading_change(const MaskReading& before, const MaskReading& after);

}  // namespace vqscope
