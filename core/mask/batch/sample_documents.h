// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/batch/sample_padding.h"

namespace vqscope {

/// The documents of one sequence and the padding around them.
struct SampleDocuments {
  std::vector<Index> lengths;
  SamplePadding padding;
  friend bool operator==(const SampleDocuments&, const SampleDocuments&) = default;
};

/// The runs of equal ids; -1 is padding, as are the tokens of `padding` whatever their ids. Errors
/// name the token: padding that is not at one end, a document in two pieces.
Result<SampleDocuments> sample_documents(std::span<const Index> ids, const SamplePadding& padding = {});

}  // namespace vqscope
