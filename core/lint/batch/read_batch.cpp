// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/read_batch.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/batch/batch_members.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

Result<ReadBatch> finished(SampleBatchReader reader, std::string sentence) {
  ReadBatch read;
  std::optional<Index> length;
  if (reader.batch.has_cells()) {
    if (auto fits = reader.check_positions(0); !fits) return fits.error();
    read.warnings = mask_batch_warnings(*reader.batch.mask);
  } else {
    const auto given = reader.q_length(0);
    if (!given) return given.error();
    length = *given;
  }
  read.sentence = std::move(sentence);
  read.batch = std::move(reader).finished();
  read.batch.q_length = length;
  return read;
}

Result<ReadBatch> read_masks(const std::string& path, const ImportOptions& options) {
  auto mask = read_mask_batch(path, options);
  if (!mask) return mask.error();
  const bool is_attention_mask = mask->is_attention_mask();
  const std::string name(file_name(path));
  std::string sentence = is_attention_mask ? attention_mask_sentence(name, *mask) : mask_batch_sentence(name, *mask);
  SampleBatchReader reader;
  const bool is_text = mask->shape.empty();
  if (is_text) reader.batch.mask = std::move(*mask);
  if (auto taken = is_text ? Result<void>() : reader.take_mask(path, std::move(*mask)); !taken) return taken.error();
  auto read = finished(std::move(reader), std::move(sentence));
  if (read) read->has_two_readings = is_attention_mask;
  return read;
}

Result<void> take_member(SampleBatchReader& reader, const BatchMember& member, const ImportOptions& options) {
  if (member.name == "mask") {
    auto mask = read_mask_batch(member.value, options);
    return mask ? reader.take_mask(member.value, std::move(*mask)) : mask.error();
  }
  auto array = read_sample_array(member.name, member.value);
  return array ? reader.take_array(member.name, std::move(*array)) : array.error();
}

Result<ReadBatch> read_members(const std::string& path, const ImportOptions& options) {
  auto members = batch_members(path);
  if (!members) return members.error();
  // The padding of attention_mask takes the place of that of a mask's rows.
  std::ranges::stable_sort(members->known, {}, [](const BatchMember& member) { return member.name != "mask"; });
  SampleBatchReader reader;
  std::vector<std::string> taken;
  for (const BatchMember& member : members->known) {
    if (auto done = take_member(reader, member, options); !done) return within(shown_input(path), done.error());
    taken.push_back(member.name);
  }
  if (auto done = reader.take_documents(SampleBatchReader::SequenceEnds::give_length); !done)
    return within(shown_input(path), done.error());
  auto read = finished(std::move(reader), {});
  if (!read) return within(shown_input(path), read.error());
  const Index samples = read->batch.samples;
  read->sentence =
      fmt::format("{}, of {} sample{}", taken_members_text(std::string(file_name(path)), taken, members->others),
                  samples, samples == 1 ? "" : "s");
  return read;
}

}  // namespace

Result<ReadBatch> read_batch(const std::string& path, const ImportOptions& options) {
  ImportOptions of_all = options;
  of_all.batch.reset();
  of_all.head.reset();
  return is_batch_file(path) ? read_members(path, of_all) : read_masks(path, of_all);
}

}  // namespace vqscope
