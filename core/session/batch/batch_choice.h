// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/session/subject/subject.h"

#include <optional>
#include <string>

namespace vqscope {

/// The file of a mask that a page shows: a text, or a sample and head of several.
struct BatchChoice {
  std::string file = {};  ///< FILE or FILE:NAME; empty: the page shows none
  bool as_mask = false;   ///< a matrix that may be an attention mask is read as a mask
  std::optional<double> threshold = {};
  Index sample = 0;
  Index head = 0;
  bool second = false;       ///< side B shows it
  bool text = false;         ///< the file is the text of the mask, and has one sample
  TensorRecord record = {};  ///< the file as it was when it was read
  friend bool operator==(const BatchChoice&, const BatchChoice&) = default;
};

}  // namespace vqscope
