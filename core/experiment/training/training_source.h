// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/corpus/corpus.h"
#include "core/experiment/training/training_data.h"
#include "core/method/run_result.h"

#include <optional>
#include <string>

namespace vqscope {

/// What train_model learns from.
struct TrainingSource {
  TrainingData data;
  std::optional<Corpus> corpus = {};  ///< nothing: a language or a task, whose tokens are no bytes
  std::string remark = {};            ///< on the files of a folder; empty: none
};

/// Reads the text of data=text.
Result<TrainingSource> training_source(const RunFiles& files, const ParameterValues& values);

}  // namespace vqscope
