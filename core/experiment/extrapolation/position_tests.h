// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

namespace vqscope {

/// The last positions, counted from 1, of spans of a window of the longest context: each span is
/// twice as long as all before it, and one ends at the training length.
std::vector<Index> position_spans(const ParameterValues& values);

/// Adds a test for each span: the loss at its positions in the windows of the test `longest`.
void add_position_tests(VariantStudy& study, std::size_t longest, const std::vector<Index>& spans);

}  // namespace vqscope
