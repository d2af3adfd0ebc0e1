// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/batch/mask_reading.h"

#include "core/lint/batch/read_batch.h"
#include "core/mask/batch/batch_members.h"
#include "core/mask/preset/import_change.h"
#include "core/session/subject/batch_tokens.h"
#include "core/session/subject/subject_tensors.h"

#include <utility>

namespace vqscope {
namespace {

/// Masks that are read within a tenth of a second are read together.
constexpr double most_cells_at_once = 1 << 24;

Index side_of(const MaskReading& reading, std::size_t dimension) {
  if (!reading.import || reading.import->leading.size() <= dimension) return 1;
  return reading.import->leading[dimension];
}

/// Whether the samples are read together: those of a mask, or the rows of an attention mask.
bool is_read_whole(const MaskReading& reading, bool as_mask) {
  const MaskImport& import = *reading.import;
  if (import.is_text() || masks_nothing(import)) return false;
  if (reading.has_two_readings) return !as_mask;
  const Extent extent = std::get<1>(import.mask)->extent();
  const bool has_one_row = !import.leading.empty() && extent.rows == 1;
  const double masks = static_cast<double>(reading.samples()) * static_cast<double>(reading.heads());
  const double cells = masks * static_cast<double>(extent.rows) * static_cast<double>(extent.cols);
  return has_one_row || (masks > 1 && cells <= most_cells_at_once);
}

Result<void> take_batch(MaskReading& reading, const std::string& path, const ImportOptions& options) {
  auto read = read_batch(path, options);
  if (!read) return read.error();
  reading.batch = std::make_shared<const SampleBatch>(std::move(read->batch));
  reading.sentence = std::move(read->sentence);
  reading.warnings = std::move(read->warnings);
  return {};
}

Result<void> take_import(MaskReading& reading, const std::string& path, const ImportOptions& options) {
  auto import = import_mask(path, options);
  if (!import) return import.error();
  reading.has_two_readings = reads_as_attention_mask(*import);
  reading.sentence = import->sentence;
  reading.warnings = import->warnings;
  reading.import = std::move(*import);
  return {};
}

Index first_real_sample(const SampleBatch& batch) {
  for (Index sample = 0; sample < batch.samples; ++sample)
    if (!batch.sequence_of(sample).is_padding) return sample;
  return 0;
}

}  // namespace

Index MaskReading::queries_as_mask() const {
  if (!import || import->is_text()) return 0;
  return std::get<1>(import->mask)->extent().rows;
}

Index MaskReading::samples() const { return batch ? batch->samples : side_of(*this, 0); }

Index MaskReading::heads() const { return batch ? batch->heads : side_of(*this, 1); }

std::optional<double> MaskReading::threshold() const {
  if (!import || import->is_text()) return {};
  const auto kind = import->reading.kind;
  if (kind != ImportedKind::additive && kind != ImportedKind::bias) return {};
  return import->reading.threshold;
}

Result<MaskReading> read_for_choice(const BatchChoice& choice, const ImportOptions& options,
                                    const std::string& model_file) {
  MaskReading reading;
  ImportOptions of_choice = options;
  if (choice.threshold) of_choice.threshold = choice.threshold;
  const bool has_members = is_batch_file(choice.file);
  if (!has_members)
    if (auto taken = take_import(reading, choice.file, of_choice); !taken) return taken.error();
  if (has_members || is_read_whole(reading, choice.as_mask)) {
    const bool is_of_one_query =
        choice.as_mask && reading.import && std::get<1>(reading.import->mask)->extent().rows == 1;
    if (is_of_one_query) of_choice.q_length = 1;
    if (auto taken = take_batch(reading, choice.file, of_choice); !taken) return taken.error();
    const auto& mask = reading.batch->mask;
    if (is_of_one_query || (mask && mask->serves_all_queries() && !mask->padding.empty()))
      reading.has_two_readings = true;
  }
  reading.choice = choice;
  reading.choice.text = reading.is_text();
  reading.choice.record = record_of(choice.file).value_or(TensorRecord{});
  const Index first = reading.batch ? first_real_sample(*reading.batch) : 0;
  return with_choice(reading, options.batch.value_or(first), options.head.value_or(0), model_file);
}

MaskReading with_choice(const MaskReading& reading, Index sample, Index head, const std::string& model_file) {
  MaskReading other = reading;
  other.choice.sample = sample;
  other.choice.head = head;
  other.tokens = batch_token_texts(reading.choice.file, sample, model_file);
  return other;
}

Result<SampleValues> with_reading(const SampleValues& before, const MaskReading& reading) {
  if (reading.batch) return with_sample(before, *reading.batch, reading.choice.sample, reading.choice.head);
  auto imported = with_import(before.values, *reading.import);
  if (!imported) return imported.error();
  return SampleValues{std::move(*imported), before.stated};
}

std::string reading_change(const MaskReading& before, const MaskReading& after) {
  const auto mask_of = [](const MaskReading& reading) -> std::shared_ptr<const MaskImport> {
    if (reading.batch) return reading.batch->mask_of(reading.choice.sample, reading.choice.head);
    return reading.import ? std::make_shared<const MaskImport>(*reading.import) : nullptr;
  };
  if (before.samples() != after.samples() || before.heads() != after.heads()) return "its samples or heads are others";
  const auto a = mask_of(before), b = mask_of(after);
  if (a && b) return import_change(*a, *b);
  return before.choice.record == after.choice.record ? "" : "its samples are read anew";
}

}  // namespace vqscope
