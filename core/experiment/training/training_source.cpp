// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/training_source.h"

#include "core/base/sentence.h"
#include "core/experiment/corpus/own_text.h"
#include "core/experiment/training/model_training.h"

namespace vqscope {
namespace {

struct NamedCorpus {
  Corpus corpus;
  std::string path;  ///< of a text of one's own
  std::string remark;
};

Result<NamedCorpus> corpus_of(const RunFiles& files, const std::string& data) {
  if (data != "text") return NamedCorpus{built_in_corpus(data), {}, {}};
  const auto given = files.find("text");
  if (given == files.end())
    return invalid("text is missing, data text needs a file: --set text=FILE, or Files in the window");
  const std::string& path = given->second.path;
  auto own = read_own_text(path);
  if (!own) return own.error();
  return NamedCorpus{text_corpus(path, std::move(own->bytes)), path, std::move(own->remark)};
}

/// That the steps of a training take.
Index batches_of(const ParameterValues& values) {
  const Index window = bptt_len(values), steps = values.integer("steps");
  return window > 0 ? steps / ((values.integer("length") + window - 1) / window) : steps;
}

Result<TrainingSource> text_source(const RunFiles& files, const ParameterValues& values) {
  auto named = corpus_of(files, values.choice("data"));
  if (!named) return named.error();
  Corpus& corpus = named->corpus;
  const auto seed = static_cast<std::uint64_t>(values.integer("seed"));
  auto data = TrainingData::text(corpus.training(seed), values.integer("batch_rows"), values.integer("length"),
                                 answer_training(corpus, values.choice("score"), batches_of(values), seed));
  if (!data) return named->path.empty() ? data.error() : within(named->path, data.error());
  return TrainingSource{std::move(*data), std::move(corpus), std::move(named->remark)};
}

}  // namespace

Result<TrainingSource> training_source(const RunFiles& files, const ParameterValues& values) {
  const auto& kind = values.choice("data");
  const auto seed = static_cast<std::uint64_t>(values.integer("seed"));
  const Index rows = values.integer("batch_rows");
  if (is_corpus(kind)) return text_source(files, values);
  for (const TaskInfo& task : task_infos())
    if (task.id == kind) return TrainingSource{TrainingData::task(task.task, seed, rows)};
  return TrainingSource{TrainingData::language(seed, rows, values.integer("length"))};
}

}  // namespace vqscope
