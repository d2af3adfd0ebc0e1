// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_rows.h"

#include "core/base/sentence.h"
#include "core/mask/import/polarity_evidence.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr Index longest = Index{1} << 31;
constexpr Index most_imported_keys = Index{1} << 24;  // a row is read at once: 128 MiB of numbers
/// Old BERT code adds -10000; biases below -1000 occur only if they grow with distance.
constexpr double very_negative = -1000;
/// Beside 0 alone, a number that leaves no weight in float32: Swin's windows add -100.
constexpr double hides_alone = -100;
constexpr double lowest_half = -65504;
constexpr double hopeless = -1e30;

constexpr std::size_t most_values = 16;                       // more are biases
constexpr std::size_t most_kept_runs = std::size_t{1} << 20;  // 16 MiB

/// Runs of equal rows and their intervals. A session keeps two numbers for each and at most 2^22 of
/// them; those of the inverse are at least half as many.
constexpr std::uint64_t most_of_a_mask = std::uint64_t{1} << 22;

constexpr const char* all_zero = "additive, all 0";
constexpr const char* no_evidence = "nothing in the imported mask tells which value is visible";
constexpr const char* adds_nothing =
    "a float mask of 0 and 1 is added to the scores by scaled_dot_product_attention, which masks nothing: make it bool";

/// The values that occur, as far as a decision needs them.
struct ValueFacts {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double other = 0;      ///< the value that is not 0, when there is one
  bool several = false;  ///< more than one value is not 0
  bool zero = false;
  bool middling = false;  ///< a value above very_negative that is not 0
  std::uint64_t grey = 0;
  std::vector<double> numbers;  ///< other than 0, up to one more than are kept

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
    if (value == 0) {
      zero = true;
      return;
    }
    if (value != other && numbers.size() <= most_values && std::ranges::count(numbers, value) == 0)
      numbers.push_back(value);
    several = several || (other != 0 && other != value);
    other = value;
    middling = middling || value > very_negative;
  }
};

/// What the first look at all cells finds.
struct Look {
  ValueFacts facts;
  RunRows kept;  ///< if they are few
  bool is_kept = true;
};

Result<void> look_at_runs(Index row, std::span<const ValueRun> runs, ValueFacts& facts) {
  std::uint32_t begin = 0;
  for (const auto& [value, end] : runs) {
    if (std::isnan(value) || value == HUGE_VAL)
      return invalid("the cell of query {}, key {} is {}, allowed are finite numbers and -inf", row, begin,
                     to_text(value));
    facts.add(value);
    if (value > 16 && value < 239) facts.grey += end - begin;
    begin = end;
  }
  return {};
}

Result<Look> look_at(const ImportedRows& rows, const ImportOptions& options) {
  Look look;
  auto done = rows.each([&](Index row, std::span<const ValueRun> runs) -> Result<void> {
    if (options.stop.stop_requested()) return cancelled();
    look.is_kept = look.is_kept && look.kept.runs.size() + runs.size() <= most_kept_runs;
    if (look.is_kept) {
      look.kept.runs.insert(look.kept.runs.end(), runs.begin(), runs.end());
      look.kept.ends.push_back(look.kept.runs.size());
    } else {
      look.kept = {};
    }
    return look_at_runs(row, runs, look.facts);
  });
  return done ? Result<Look>(std::move(look)) : done.error();
}

ImportedKind kind_of(ImportedCells cells, const ValueFacts& facts) {
  if (cells == ImportedCells::boolean) return ImportedKind::boolean;
  if (cells == ImportedCells::grey) return ImportedKind::image;
  if (!facts.several && facts.other > 0)
    if (cells != ImportedCells::real || facts.other == 1)
      return cells == ImportedCells::real ? ImportedKind::zero_one_float : ImportedKind::zero_one;
  if (facts.other == 0) return cells == ImportedCells::real ? ImportedKind::additive : ImportedKind::zero_one;
  const bool is_pair = facts.zero && !facts.several && facts.other <= hides_alone;
  return facts.middling && !is_pair ? ImportedKind::bias : ImportedKind::additive;
}

double threshold_of(ImportedKind kind, const ValueFacts& facts) {
  if (kind == ImportedKind::image) return 127;
  if (kind != ImportedKind::additive && kind != ImportedKind::bias) return 0;
  if (kind == ImportedKind::additive) return facts.middling ? facts.other / 2 : very_negative;
  if (facts.low <= hopeless) return hopeless;
  return facts.low == lowest_half ? lowest_half : very_negative;
}

Error too_many(std::uint64_t most) {
  return too_large("the imported mask has more than {} visible stretches, which is more than is kept in memory",
                   grouped_count(most));
}

/// Runs of the cells above a threshold, and the evidence for which colour is visible.
class IntervalCollector {
 public:
  IntervalCollector(Extent extent, double threshold, std::uint64_t most)
      : m_extent(extent), m_threshold(threshold), m_most(std::min(most, most_of_a_mask)), m_evidence(extent) {}

  Result<void> add(Index row, std::span<const ValueRun> runs) {
    m_row.clear();
    std::uint32_t begin = 0;
    bool on = false;
    for (const auto& [value, end] : runs) {
      const bool now = value > m_threshold;
      if (now && on) m_row.back().end = end;
      if (now && !on) m_row.push_back({begin, end});
      on = now;
      begin = end;
    }
    m_runs.append(m_row, m_rows_of_each);
    if (m_runs.size() > m_most) return too_many(m_most);
    m_evidence.add(row, m_row);
    return {};
  }

  /// The one row is that of all queries, so no key is its own.
  void serve_all_queries(Index queries) {
    m_extent.rows = m_rows_of_each = queries;
    m_evidence.serve_all_queries();
  }

  const PolarityEvidence& evidence() const { return m_evidence; }

  std::shared_ptr<const ImportedMask> mask(bool invert, std::vector<double> numbers) && {
    auto made = std::make_shared<ImportedMask>(m_extent, std::move(m_runs), std::move(numbers));
    return invert ? made->inverted() : std::move(made);
  }

 private:
  Extent m_extent;
  Index m_rows_of_each = 1;
  double m_threshold;
  std::uint64_t m_most;
  ImportedRuns m_runs;
  std::vector<KeyInterval> m_row;
  PolarityEvidence m_evidence;
};

std::string kind_sentence(const ImportedReading& reading, const ValueFacts& facts) {
  switch (reading.kind) {
    case ImportedKind::boolean: return "boolean";
    case ImportedKind::zero_one: return "whole numbers, 0 and " + to_text(facts.other == 0 ? 1 : facts.other);
    case ImportedKind::zero_one_float: return "float numbers, 0 and 1";
    case ImportedKind::image: return "black and white";
    case ImportedKind::additive:
      return facts.other == 0 ? all_zero : "additive, 0 and numbers down to " + to_text(facts.low);
    case ImportedKind::bias:
      return fmt::format("biases from {} to {}{}", to_text(facts.low), to_text(facts.high),
                         facts.low > reading.threshold ? "" : " with masked cells among them");
  }
  return {};
}

void describe_additive(ImportedReading& reading, const ValueFacts& facts) {
  reading.polarity = ImportedPolarity::visible_true;
  reading.why = fmt::format("{}: above {} is visible", reading.what, to_text(reading.threshold));
  if (facts.low > reading.threshold) reading.warnings.emplace_back("nothing is masked");
  if (facts.high <= reading.threshold) reading.warnings.emplace_back("everything is masked");
}

struct ValueWords {
  const char* on;
  const char* off;
};

ValueWords value_words(ImportedKind kind) {
  if (kind == ImportedKind::image) return {"white", "black"};
  return kind == ImportedKind::boolean ? ValueWords{"true", "false"} : ValueWords{"1", "0"};
}

/// "boolean: true is visible, because no key after its query is true".
std::string polarity_sentence(const ImportedReading& reading) {
  const auto [on, off] = value_words(reading.kind);
  const std::string visible = reading.polarity == ImportedPolarity::visible_true ? on : off;
  const std::string reason = reading.decided == PolaritySource::stated    ? "as asked for"
                             : reading.decided == PolaritySource::guessed ? "because " + reading.evidence
                                                                          : "for want of evidence";
  return fmt::format("{}: {} is visible, {}", reading.what, visible, reason);
}

std::string inverted_warning(const std::string& evidence) { return "the imported mask looks inverted: " + evidence; }

void describe_polarity(ImportedReading& reading, const IntervalCollector& collected, const ImportOptions& options) {
  const auto [on, off] = value_words(reading.kind);
  const auto [on_is_visible, reason] = collected.evidence().on_is_visible(on, off);
  std::optional<ImportedPolarity> detected;
  if (on_is_visible) detected = *on_is_visible ? ImportedPolarity::visible_true : ImportedPolarity::masked_true;
  reading.decided = options.polarity ? PolaritySource::stated
                    : detected       ? PolaritySource::guessed
                                     : PolaritySource::unknown;
  if (!options.polarity) reading.evidence = reason;
  reading.polarity = options.polarity.value_or(detected.value_or(ImportedPolarity::visible_true));
  reading.why = polarity_sentence(reading);
  if (!options.polarity && !detected) reading.warnings.emplace_back(no_evidence);
  if (options.polarity && detected && detected != options.polarity)
    reading.warnings.push_back(inverted_warning(reason));
}

template <class Visit>
Result<void> each_again(const ImportedRows& rows, const Look& look, const Visit& visit) {
  if (!look.is_kept) return rows.each(visit);
  for (std::size_t row = 0; row < look.kept.ends.size(); ++row)
    if (auto done = visit(static_cast<Index>(row), look.kept.row(row)); !done) return done;
  return {};
}

Result<void> check_extent(const Extent& extent, const ImportOptions& options) {
  if (extent.rows < 1 || extent.cols < 1 || extent.rows > longest || extent.cols > longest)
    return invalid("the imported mask has {} queries and {} keys, allowed are 1 to {} of each", extent.rows,
                   extent.cols, longest);
  if (extent.cols > most_imported_keys)
    return too_large("the imported mask has {} keys, allowed are 1 to {}", extent.cols, most_imported_keys);
  if (options.q_length < 0 || options.q_length > longest)
    return invalid("q_length is {}, allowed are 0 to {}", options.q_length, longest);
  return {};
}

}  // namespace

Result<ReadMask> read_mask_rows(const ImportedRows& rows, const ImportOptions& options) {
  if (auto checked = check_extent(rows.extent, options); !checked) return checked.error();
  const auto look = look_at(rows, options);
  if (!look) return look.error();
  const ValueFacts* facts = &look->facts;
  ImportedReading reading{.cells = rows.cells, .kind = kind_of(rows.cells, *facts)};
  const bool additive = reading.kind == ImportedKind::additive || reading.kind == ImportedKind::bias;
  reading.threshold =
      additive ? options.threshold.value_or(threshold_of(reading.kind, *facts)) : threshold_of(reading.kind, *facts);
  IntervalCollector collected(rows.extent, reading.threshold, options.most_intervals);
  if (rows.extent.rows == 1 && options.q_length > 1) collected.serve_all_queries(options.q_length);
  auto done = each_again(rows, *look, [&](Index row, std::span<const ValueRun> runs) -> Result<void> {
    if (options.stop.stop_requested()) return cancelled();
    return collected.add(row, runs);
  });
  if (!done) return done.error();
  reading.what = kind_sentence(reading, *facts);
  additive ? describe_additive(reading, *facts) : describe_polarity(reading, collected, options);
  if (reading.kind == ImportedKind::zero_one_float) reading.warnings.emplace_back(adds_nothing);
  if (reading.kind == ImportedKind::image && facts->grey > 0)
    reading.warnings.emplace_back(grouped_count(facts->grey) + " pixels are grey; 128 and up counts as white");
  const bool few = additive && facts->numbers.size() <= most_values;
  return ReadMask{std::move(collected).mask(reading.polarity == ImportedPolarity::masked_true,
                                            few ? facts->numbers : std::vector<double>()),
                  reading,
                  {},
                  rows.extent.rows};
}

ReadMask read_as(const ReadMask& imported, const ImportedReading& of_the_file, const std::string& evidence) {
  ReadMask made = imported;
  ImportedReading& reading = made.reading;
  const bool has_polarity = reading.kind != ImportedKind::additive && reading.kind != ImportedKind::bias;
  if (!has_polarity && reading.what != all_zero) return made;
  // Floats of 0 alone are visible where they are added, and not true beside masks of 0 and 1.
  const bool is_added = !has_polarity;
  const bool inverts =
      is_added ? of_the_file.polarity == ImportedPolarity::visible_true : reading.polarity != of_the_file.polarity;
  if (inverts) made.mask = imported.mask->inverted();
  std::erase(reading.warnings, no_evidence);
  if (reading.decided == PolaritySource::guessed && inverts)
    reading.warnings.push_back(inverted_warning(reading.evidence));
  if (is_added) {
    reading.what = of_the_file.what;
    reading.warnings = {adds_nothing};
  }
  reading.kind = of_the_file.kind;
  reading.threshold = of_the_file.threshold;
  reading.polarity = of_the_file.polarity;
  reading.decided = PolaritySource::guessed;
  reading.evidence = evidence;
  reading.why = polarity_sentence(reading);
  return made;
}

}  // namespace vqscope
