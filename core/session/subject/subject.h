// SPDX-License-Identifier: GPL-3.0-or-later
// Subject of all pages: one sequence and one model.
#pragma once

#include "core/base/result.h"
#include "core/method/parameter.h"
#include "core/session/subject/token_texts.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// What a shared parameter describes: the tokens, the model, or tensors of queries, keys and values,
/// which pages take that share nothing else.
enum class SubjectPart { sequence, model, tensors };

/// A parameter that all pages share. A page has the value set here unless it has one of its own.
struct SubjectParameter {
  ParameterSpec spec;  ///< with the widest range of all methods; the default is that of the first
  SubjectPart part = SubjectPart::sequence;
};

/// What identifies the file of a tensor, and what the file says of it.
struct TensorRecord {
  Index bytes = 0;
  std::string checksum;     ///< of samples of the file
  bool is_rotated = false;  ///< q and k of the file are: an attention function was given them
  friend bool operator==(const TensorRecord& a, const TensorRecord& b) {
    return a.bytes == b.bytes && a.checksum == b.checksum;
  }
};

/// The sequence and the model of the whole window. Only what was set is here: for the rest, each
/// view has the default of its method.
struct Subject {
  ParameterValues values;  ///< by names of subject_parameters()
  std::string model;       ///< its name, "gemma-3-27b"; empty: none
  std::string config;      ///< the text of the config.json that describes it; empty: none
  std::string model_file;  ///< where that text was read; empty: not from a file
  TokenTexts tokens;       ///< of the sequence; empty: numbers alone are shown
  /// Of the files that `values` name, by parameter, as they were when they were named.
  std::map<std::string, TensorRecord> tensors = {};
  friend bool operator==(const Subject&, const Subject&) = default;
};

/// In the order of the bar.
std::span<const SubjectParameter> subject_parameters();
/// Null: the pages do not share this name.
const SubjectParameter* find_subject_parameter(std::string_view name);

/// Names and ranges.
Result<void> check_subject(const Subject& subject);

/// The most bytes of a config that a session keeps.
inline constexpr std::size_t most_config_bytes = 4 << 20;

}  // namespace vqscope
