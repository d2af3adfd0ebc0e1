// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a batch: masks, padding, documents and lists, each for all samples or one a sample.
#pragma once

#include "core/mask/batch/mask_batch.h"
#include "core/mask/batch/sample_documents.h"
#include "core/mask/batch/token_counts.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// An array with its own row for each sample.
struct NamedSampleArray {
  std::string name;
  SampleArray array;
  bool stated = false;  ///< of the expected mask alone: the mask's text takes the whole array
};

/// The sequence of one sample, as far as its batch tells.
struct SampleSequence {
  std::optional<SamplePadding> padding = {};
  std::optional<std::vector<Index>> document_lengths = {};
  bool is_padding = false;  ///< no token of it is real
};

struct SampleBatch {
  std::optional<MaskBatch> mask = {};
  std::vector<SamplePadding> padding = {};      ///< [B] or one; empty: not given
  std::vector<SampleDocuments> documents = {};  ///< [B] or one; empty: not given
  std::vector<Index> prefixes = {};             ///< [B] or one; empty: not given by sample
  std::vector<NamedSampleArray> arrays = {};    ///< of the expected mask
  Index samples = 1;                            ///< B
  Index heads = 1;                              ///< H
  std::optional<Index> tokens = {};             ///< of a sequence; nothing: the arrays do not tell
  std::optional<Index> q_length = {};           ///< without cells, as far as the arrays tell

  bool has_cells() const;
  /// A text is that of all; null: the batch has no mask.
  std::shared_ptr<const MaskImport> mask_of(Index sample, Index head) const;
  SampleSequence sequence_of(Index sample) const;
  /// Nothing: not given by sample.
  std::optional<Index> prefix_of(Index sample) const;
  /// Whether nothing tells two samples and heads from each other.
  bool are_equal(Index a, Index a_head, Index b, Index b_head) const;
};

/// Whether --array takes a list of this name by sample.
bool is_sample_array(std::string_view name);

/// Takes the inputs of a batch one after the other. Errors name two inputs that have different
/// numbers of samples or tokens.
class SampleBatchReader {
 public:
  Result<void> take_samples(const NamedCount& given);
  /// The length of the list `name`, of the queries or the keys as its name says.
  Result<void> take_length(std::string_view name, Index count);
  Result<void> take_mask(const std::string& path, MaskBatch mask);
  /// attention_mask, document_ids, prefix_length or a list of the expected mask. A later array takes
  /// the place of a former one.
  Result<void> take_array(const std::string& name, SampleArray array, bool stated = false);
  /// What cu_seqlens say of the documents: nothing, the documents of a sequence whose length is known
  /// from another input, or the length too.
  enum class SequenceEnds { unused, fitting, give_length };
  /// After all arrays: the documents of each sample, of cu_seqlens where no ids give them.
  Result<void> take_documents(SequenceEnds ends);
  bool has_document_ids() const { return m_documents.has_value(); }
  /// Whether position_ids are as many as the queries, the tokens, or three axes of either.
  Result<void> check_positions(Index past_len) const;
  /// q_length as far as the inputs tell.
  Result<std::optional<Index>> q_length(Index past_len) const;
  /// The batch with its numbers of samples and tokens.
  SampleBatch finished() &&;

  SampleBatch batch;
  TokenCounts counts;

 private:
  Result<void> take_samples(std::string_view name, Index samples);
  void split_sequence_ends();
  Result<void> take_sequence_ends(bool give_length);

  SharedCount m_samples;
  std::optional<Index> m_either;  ///< length of position_ids, of queries or of all tokens
  std::optional<SampleArray> m_documents;
};

}  // namespace vqscope
