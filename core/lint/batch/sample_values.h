// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of a batch as the values of a page.
#pragma once

#include "core/lint/batch/sample_batch.h"
#include "core/method/parameter.h"

namespace vqscope {

struct SampleValues {
  ParameterValues values;  ///< of `visibility`, and of other methods
  ParameterValues stated;  ///< of lint_parameters()
  friend bool operator==(const SampleValues&, const SampleValues&) = default;
};

/// The values with the mask, the sequence and the lists of one sample and head; what the batch does
/// not give stays. Cells of another file give way to the default mask where the batch has none and
/// another length. Refuses indices beyond the batch, and a sample without a real token.
Result<SampleValues> with_sample(const SampleValues& before, const SampleBatch& batch, Index sample, Index head);

/// With defaults in place of what a sample of a former batch has set, except for its mask.
SampleValues without_batch(const SampleValues& values, const SampleBatch& batch);

/// Whether both have the same mask and sequence, as far as the batch gives them.
bool have_same_sample(const ParameterValues& a, const ParameterValues& b, const SampleBatch& batch);

/// Without what a sample sets: what the samples have in common.
SampleValues without_sample(const SampleValues& values, const SampleBatch& batch);

/// The same without the length and the kind of the mask, where the batch gives them: what a command
/// line says beside the file.
SampleValues beside_batch(const SampleValues& values, const SampleBatch& batch);

}  // namespace vqscope
