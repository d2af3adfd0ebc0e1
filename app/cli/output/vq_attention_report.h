// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/run/vq_attention_parameters.h"
#include "core/attention/run/vq_attention_run.h"
#include "core/io/tensor/tensor_file.h"

#include <map>
#include <optional>

namespace vqscope {

struct VqAttentionReport {
  ParameterValues values;
  std::map<std::string, StoredTensor> tensors;  ///< by the name of the array
  std::vector<Index> shape;                     ///< of the output
  std::string kernels;
  int threads = 1;
  Index padded = 0;
  Index codewords = 0;            ///< 0: the exact form
  std::vector<Index> codes_used;  ///< of each head of k
  std::string hypothesis;         ///< whether B is constant beyond the window; empty: neither bias nor mask
  std::optional<OutputDifference> difference;
  std::vector<std::pair<const char*, double>> seconds;  ///< by step, in the order of the steps
};

/// {"experiment", "parameters", "arrays", "shape", "kernels", "machine", "seconds", ...}.
std::string reportAsJson(const VqAttentionReport& report);

}  // namespace vqscope
