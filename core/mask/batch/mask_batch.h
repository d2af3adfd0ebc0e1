// SPDX-License-Identifier: GPL-3.0-or-later
// The masks of a file with a batch dimension or heads.
#pragma once

#include "core/mask/batch/sample_padding.h"
#include "core/mask/preset/mask_import.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// The masks of a file that `batch` and `head` of the options leave.
struct MaskBatch {
  std::vector<Index> shape = {};  ///< as stored; empty: of a text or no file
  Index samples = 1;              ///< as stored: B
  Index heads = 1;                ///< as stored: H
  Index samples_checked = 1;      ///< all, or the one that was chosen
  Index heads_checked = 1;        ///< all, or the one that was chosen
  /// [samples_checked, heads_checked]; equal masks share one object. None for an attention mask.
  std::vector<std::shared_ptr<const MaskImport>> masks = {};
  /// [samples] of an attention mask [B, T], or of a mask [B, 1, 1, T] or [B, 1, T] that has one row
  /// for all queries.
  std::vector<SamplePadding> padding = {};
  bool zero_is_real = false;  ///< of an attention mask: the options say that 1 is masked

  bool is_attention_mask() const { return masks.empty() && !padding.empty(); }
  /// Whether the file has one row for all queries of a mask.
  bool serves_all_queries() const;
  std::size_t different() const;
  /// "one for all heads", "one for all samples and heads, one row for all 8 queries"; empty: none.
  std::string broadcast() const;
};

/// Whether the sample or head that `option` names, if it names one, is among `count`.
Result<void> check_index(const char* option, const std::optional<Index>& index, Index count, const char* what);

/// Reads every mask of a file, all with one polarity, for one reason: the polarity that more masks
/// show by their cells. A matrix may be an attention mask: see is_attention_mask(); it is a mask if
/// the options give the number of its rows as q_length. Errors name the file; Errc::too_large if
/// the masks together have more intervals than one may have.
Result<MaskBatch> read_mask_batch(const std::string& path, const ImportOptions& options);

/// Whether cells without a batch dimension are those of an attention mask.
bool reads_as_attention_mask(const MaskImport& import);

/// How the file was read, to be shown: "m.npy [3, 1, 8, 8]: 3 samples, 2 different masks, one for
/// all heads; the first: boolean: …".
std::string mask_batch_sentence(const std::string& path, const MaskBatch& batch);
/// "m.npy [3, 8] is read as the attention_mask of 3 samples of 8 tokens, 1 for a real token".
std::string attention_mask_sentence(const std::string& path, const MaskBatch& batch);
/// Each once.
std::vector<std::string> mask_batch_warnings(const MaskBatch& batch);

}  // namespace vqscope
