// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/mask_structure.h"
#include "core/mask/import/mask_file.h"
#include "core/mask/mask.h"
#include "core/mask/preset/text_mask.h"
#include "core/mask/recognise/recognise.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// The prediction target of the model, which determines the keys that a query may see.
enum class Objective { causal, prefix, bidirectional, cross, causal_spans, block_causal, chunked };

/// "causal", "prefix", "bidirectional", "cross", "causal_spans", "block_causal", "chunked".
std::string objective_name(Objective objective);
Objective objective_named(std::string_view name);
/// Whether queries see themselves and earlier keys: causal, prefix, causal_spans.
bool looks_back(Objective objective);
/// Whether queries see their whole chunk and chunks before it: block_causal, chunked.
bool looks_by_chunks(Objective objective);

/// Meaning of labels[q].
enum class LabelKind {
  unset,
  aligned,  ///< the target of query q
  shifted,  ///< token q; the loss shifts labels by one
  masked,   ///< token q, masked in the input: masked language models
};

/// Queries that predict the positions from `anchor` on, one each, as in the training of a drafter.
/// The last q_length keys are the queries' own; the keys before them are the context.
struct DraftBlock {
  Range rows;
  Index anchor = 0;
};

/// How the rotary angles of q or k are computed. Empty texts: not set.
struct RopeConvention {
  std::string pair_layout;  ///< half_split, interleaved
  std::string scaling;      ///< default, linear, yarn, ...
  bool by_column = false;   ///< looked up by the tensor's column instead of position_ids
};

/// Everything that the lint looks at: a mask, its sequence, what the mask is expected to be, and
/// what is known of how it reaches a kernel. Rules with unknown inputs are skipped or become
/// questions.
struct LintCase {
  std::shared_ptr<const Mask> mask;
  KeptRecognition recognition = {};  ///< of the mask, for every rule that needs it
  SequenceLayout layout;
  Objective objective = Objective::causal;
  bool objective_assumed = false;           ///< neither set nor given by the mask
  std::optional<Index> prefix_length;       ///< of the objective `prefix`; nothing: not set
  bool prefix_stated = false;               ///< the mask's text gives the prefix
  std::optional<Index> window;              ///< expected looking back: q_pos - kv_pos < window
  std::optional<Index> window_left;         ///< expected: q_pos - kv_pos <= window_left
  std::optional<Index> window_right;        ///< expected: kv_pos - q_pos <= window_right
  std::optional<NamedWindow> named_window;  ///< of the mask's text; it may count differently
  bool no_window = false;                   ///< set: there is no window
  /// Length of chunks, which begin at position 0. A query sees its own chunk only; with the
  /// objectives block_causal and chunked, all of it and chunks before it.
  std::optional<Index> chunk;
  std::optional<Index> left_frames;      ///< of `chunked`: keys before the query's chunk; nothing: all
  Index right_frames = 0;                ///< of `chunked`: keys after the query's chunk
  Index sinks = 0;                       ///< first positions, visible regardless of the window
  bool sparse = false;                   ///< keys are masked on purpose in some other way
  std::vector<Index> spans;              ///< [kv_length], -1 for keys in no span; causal_spans
  bool spans_set = false;                ///< by span_ids, not guessed from the mask
  bool extra_keys = false;               ///< more keys than queries, and past_len is not set
  bool last_tokens = false;              ///< the mask shows that the queries are the last tokens, with extra_keys
  Index past_len = 0;                    ///< as set, before slots give the queries their positions
  bool keys_assumed = false;             ///< fewer keys than tokens, taken for the newest ones
  std::vector<DraftBlock> draft_blocks;  ///< of queries that predict several blocks; empty: none
  bool branches = false;                 ///< queries of one position hide each other: a tree of drafts

  std::vector<Index> q_position_ids;   ///< [q_length] as passed to the model; empty: not given
  std::vector<Index> kv_position_ids;  ///< [kv_length]
  Index first_position = 0;            ///< of a sequence: 2 in RoBERTa
  bool axes_differ = false;            ///< the ids are the first of three axes that differ
  std::vector<Index> cu_seqlens;       ///< as passed to the kernel; empty: not given
  std::vector<Index> labels;           ///< [q_length], no_loss without a loss; empty: not given
  LabelKind labels_are = LabelKind::unset;
  std::vector<Index> input_ids;  ///< [q_length]; empty: not given

  std::string backend;                         ///< id; empty: not set
  std::string window_meaning;                  ///< id; empty: the backend's own
  std::optional<Index> window_argument;        ///< passed to the library; the left one of two
  std::optional<Index> window_argument_right;  ///< the right one
  std::optional<Extent> block_mask;            ///< queries x keys that the block mask was created for
  std::optional<Index> block_mask_batch;       ///< its B, 1 for None
  std::optional<Index> block_mask_heads;       ///< its H, 1 for None
  std::optional<Index> batch_size;             ///< of the tensors
  bool reads_b = false;                        ///< the mask's text reads the batch index
  bool reads_h = false;                        ///< the mask's text reads the head
  bool documents_missing = false;              ///< the mask's text reads documents, and none are given
  std::string true_means;                      ///< attends, masked; empty: not set
  std::string values;                          ///< boolean, integers, zero_one, additive; empty: not set
  std::optional<MaskFile> file;                ///< what the mask's file was; nothing: no file, or not known
  std::vector<double> mask_numbers;            ///< additive values other than 0; empty: not set
  std::string dtype = "float32";               ///< of the scores: float32, float16, bfloat16
  bool is_causal = false;                      ///< is_causal=True is passed
  bool mask_given = true;                      ///< false: is_causal=True replaces the mask
  bool summed = false;                         ///< causal and padding masks of finfo.min are added
  std::vector<double> alibi_bias;              ///< of the last query: [kv_length] or one number
  RopeConvention q_rope;
  RopeConvention k_rope;
};

/// "causal", "causal (assumed)".
std::string objective_text(const LintCase& given);

/// The expected mask in terms that kernels have names for; not verified.
MaskStructure wanted_structure(const LintCase& given);

/// The choice of lint_parameters() for "not set".
inline constexpr const char* unset_choice = "unsaid";

/// The parameters of a case that are not parameters of a mask: objective, window, position_ids,
/// labels, backend, ...
std::vector<ParameterSpec> lint_parameters();

inline constexpr Index no_loss = -100;  ///< the label of a query without a loss

/// The labels [q_length] from values of lint_parameters(), with no_loss also where loss_mask is
/// 0. Empty if neither is given. The error names the array with the wrong length.
Result<std::vector<Index>> stated_labels(const ParameterValues& stated, Index q_length);

/// The case of a preset of the Masks page, from the values of `visibility`; objective and window
/// are those of the preset. For a mask text or imported cells they are guessed from the mask and
/// marked as assumed.
Result<LintCase> lint_case(const ParameterValues& preset_values);

/// The same for a mask that was already made from these values, which must be valid.
LintCase lint_case(std::shared_ptr<const Mask> mask, SequenceLayout layout, const ParameterValues& preset_values);

/// `base` with the values of lint_parameters() that are set. For "automatic" values `base`,
/// which may hold any mask and its layout, stays as it is. Errors name the value that does not fit.
Result<LintCase> lint_case(LintCase base, const ParameterValues& stated);

}  // namespace vqscope
