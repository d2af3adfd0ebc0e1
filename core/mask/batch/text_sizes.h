// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes that a mask's text gives: lengths, batch, heads.
#pragma once

#include "core/mask/batch/token_counts.h"
#include "core/method/parameter.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A side of an array that the text indexes with b, h, q_idx or kv_idx: seq_lens[b], slopes[b, h].
struct TextSide {
  enum class By { batch, head, query, key };

  std::string array;
  std::size_t side = 0;
  By by = By::batch;
  std::optional<Index> size = {};  ///< of an array that the text sets, or that is given
};

struct TextSizes {
  std::optional<NamedCount> queries;         ///< "the text's Q_LEN is 1024"
  std::optional<NamedCount> keys;            ///< "the text's KV_LEN is 1024"
  std::optional<NamedCount> contrary;        ///< says other than `queries` or `keys`: a second source in the text
  std::optional<NamedCount> overruled = {};  ///< says other than the sides of the mask, an array, which hold
  std::optional<NamedCount> batch;           ///< B of create_block_mask(...); 1 for None
  std::optional<NamedCount> heads;           ///< H of create_block_mask(...); 1 for None
  std::vector<TextSide> sides = {};
};

/// The sizes in a text of the mask language: of the first call of create_block_mask, by position
/// and by name; of integers Q_LEN, KV_LEN and SEQ_LEN that the text sets; else of matrices such as
/// torch.ones(16, 16), if all are alike; else of arrays that are indexed with q_idx or kv_idx. `integers` replace those
/// that the text sets. Nothing in a text that cannot be read.
TextSizes text_sizes(std::string_view text, const std::map<std::string, Index>& integers = {});

/// "q_length is 8, but the text's Q_LEN is 16"; empty: the length is the text's, or that gives none.
std::string length_warning(std::string_view name, Index length, const std::optional<NamedCount>& of_text);

/// The warnings of the lengths of a mask's values, by parameter: q_length and kv_length.
std::map<std::string, std::string> length_warnings(const ParameterValues& values);

/// The same of the text of a mask's values, with its integers and arrays as they are set; nothing
/// if the mask is not a text of the user.
TextSizes text_sizes_of(const ParameterValues& values);

}  // namespace vqscope
