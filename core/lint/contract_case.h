// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/mask_structure.h"
#include "core/mask/mask.h"
#include "core/mask/preset/named_window.h"
#include "core/sequence/sequence_layout.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// What the model learns to predict, and so what a query may see.
enum class Objective { causal, prefix, bidirectional, cross, causal_spans };

/// "causal", "prefix", "bidirectional", "cross", "causal_spans".
std::string objective_name(Objective objective);
Objective objective_named(std::string_view name);
/// Whether queries see themselves and what is behind them: causal, prefix, causal_spans.
bool looks_back(Objective objective);

/// What labels[q] is.
enum class LabelKind {
  unsaid,
  aligned,  ///< the target of query q
  shifted,  ///< token q; the loss shifts labels by one
  masked,   ///< token q, masked in the input: masked language models
};

/// How the rotary angles of one of q and k are made. Empty texts: not said.
struct RopeConvention {
  std::string pair_layout;  ///< half_split, interleaved
  std::string scaling;      ///< default, linear, yarn, ...
  bool by_column = false;   ///< gathered by the tensor's column instead of position_ids
};

/// Everything that the contract check looks at: a mask, the sequence it is for, what is wanted of it, and what is known
/// of how it is handed to a kernel. What is not known is not asked, or asked for.
struct ContractCase {
  std::shared_ptr<const Mask> mask;
  SequenceLayout layout;
  Objective objective = Objective::causal;
  bool objective_assumed = false;           ///< neither stated nor said by the mask
  std::optional<Index> prefix_length;       ///< of the objective `prefix`; nothing: not said
  bool prefix_said = false;                 ///< by the mask's text
  std::optional<Index> window;              ///< wanted by one that looks back: q_pos - kv_pos < window
  std::optional<Index> window_left;         ///< wanted: q_pos - kv_pos <= window_left
  std::optional<Index> window_right;        ///< wanted: kv_pos - q_pos <= window_right
  std::optional<NamedWindow> named_window;  ///< that the mask's text has; it may count otherwise
  bool no_window = false;                   ///< stated that there is none
  std::optional<Index> chunk;               ///< wanted: q_pos / chunk == kv_pos / chunk
  Index sinks = 0;                          ///< first positions that are seen in spite of a window
  bool sparse = false;                      ///< keys are masked on purpose in ways that no number here says
  std::vector<Index> spans;                 ///< [kv_length], -1 where a key is in none; of `causal_spans`
  bool extra_keys = false;                  ///< more keys than queries, and nobody said which of them are cached

  std::vector<Index> q_position_ids;   ///< [q_length] as the model is given them; empty: not said
  std::vector<Index> kv_position_ids;  ///< [kv_length]
  Index first_position = 0;            ///< of a sequence: 2 in RoBERTa
  bool axes_differ = false;            ///< the ids are the first of three axes, which are not alike
  std::vector<Index> cu_seqlens;       ///< as it is handed over; empty: not said
  std::vector<Index> labels;           ///< [q_length], no_loss where there is none; empty: not said
  LabelKind labels_are = LabelKind::unsaid;
  std::vector<Index> input_ids;  ///< [q_length]; empty: not said

  std::string dialect;                         ///< id; empty: not said
  std::string window_meaning;                  ///< id; empty: the dialect's own
  std::optional<Index> window_argument;        ///< the number that the library is given, or the left one of two
  std::optional<Index> window_argument_right;  ///< the right one
  std::optional<Extent> block_mask;            ///< queries x keys that the block mask was created for
  std::optional<Index> block_mask_batch;       ///< its B, 1 for None
  std::optional<Index> block_mask_heads;       ///< its H, 1 for None
  std::optional<Index> batch_size;             ///< of the tensors
  bool reads_b = false;                        ///< the mask's text reads the batch index
  bool reads_h = false;                        ///< the mask's text reads the head
  std::string true_means;                      ///< attends, masked: of the tensor that is handed over; empty: not said
  std::string values;                          ///< boolean, additive, zero_one; empty: not said
  std::vector<double> mask_numbers;            ///< other than 0 that the additive mask holds; empty: not said
  std::string dtype = "float32";               ///< of the scores: float32, float16, bfloat16
  bool is_causal = false;                      ///< is_causal=True is given
  bool mask_given = true;                      ///< false: is_causal=True stands for the mask
  bool summed = false;                         ///< causal and padding are planes of finfo.min that are added
  std::vector<double> alibi_bias;              ///< of the last query: [kv_length], or one number that is broadcast
  RopeConvention q_rope;
  RopeConvention k_rope;
};

/// "causal", "causal (assumed)".
std::string objective_text(const ContractCase& given);

/// What the case wants the mask to be in words that kernels have names for, unverified.
MaskStructure wanted_structure(const ContractCase& given);

/// Of the choices of contract_parameters() the one that says nothing.
inline constexpr const char* unsaid_choice = "unsaid";

/// The knobs of a case that are no knobs of a mask: objective, window, position_ids, labels, dialect, ...
std::vector<ParameterSpec> contract_parameters();

inline constexpr Index no_loss = -100;  ///< the label of a query without a loss

/// [q_length], stated as values of contract_parameters(): the labels, with no_loss also where loss_mask is 0; empty
/// where neither is stated. The error names the array whose length is another.
Result<std::vector<Index>> stated_labels(const ParameterValues& stated, Index q_length);

/// The case of a preset of the Masks workspace, from the values of `visibility`: objective and window are the preset's.
/// Those of a text or of imported cells are what the mask looks like, and assumed.
Result<ContractCase> contract_case(const ParameterValues& preset_values);

/// The same for a mask that was already made of these values, which are good ones.
ContractCase contract_case(std::shared_ptr<const Mask> mask, SequenceLayout layout,
                           const ParameterValues& preset_values);

/// `base` with what is stated of it, values of contract_parameters(). What is automatic there stays as it is in
/// `base`, which may hold any mask and its layout. Errors name the value that does not fit.
Result<ContractCase> contract_case(ContractCase base, const ParameterValues& stated);

}  // namespace vqscope
