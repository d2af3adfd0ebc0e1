// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/language_study.h"

#include "core/base/deferred.h"
#include "core/base/sentence.h"
#include "core/data/language.h"
#include "core/data/language_batches.h"
#include "core/experiment/extrapolation/extrapolation_parameters.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

using Stream = std::vector<std::int32_t>;

/// The windows of the measured runs, later in the stream if contexts are longer.
PairedWindows windows_for(Index longest) {
  PairedWindows windows;
  windows.first_end = std::max(windows.first_end, longest + 76);
  windows.stream_length =
      std::max(windows.stream_length, windows.first_end + (windows.windows - 1) * windows.stride + 1);
  return windows;
}

}  // namespace

VariantStudy language_study(const ParameterValues& values) {
  const Index length = values.integer("train_length"), rows = values.integer("batch_rows");
  VariantStudy study{.values = values, .vocabulary = language::vocabulary};
  for (const Index multiple : extrapolation_multiples(values)) study.lengths.push_back(length * multiple);
  const PairedWindows windows = windows_for(study.lengths.back());
  study.data = fmt::format("language, sequences of {}, windows from {}", length, windows.first_end);
  study.training = [rows, length](std::uint64_t seed) { return TrainingData::language(seed, rows, length); };
  const auto stream = std::make_shared<const Deferred<Stream>>([windows](const Work&) {
    return Result<std::shared_ptr<const Stream>>(
        std::make_shared<const Stream>(language::stream(windows.seed, windows.stream_length)));
  });
  study.test = [windows, stream, lengths = study.lengths](std::size_t test) {
    return windows.batch(*stream->find(), lengths[test]);
  };
  study.measure = context_loss;
  study.failed = std::numeric_limits<double>::infinity();
  return study;
}

VariantMeasures gaps_of(VariantMeasures losses) {
  for (auto& variant : losses)
    for (auto& seed : variant)
      for (std::size_t x = seed.size(); x-- > 0;) seed[x] -= seed.front();
  return losses;
}

}  // namespace vqscope
