// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/codebook.h"

#include "core/attention/codebook/code_use.h"
#include "core/attention/rows.h"
#include "core/base/random.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index keys_between_stops = 128;  // between two checks of the stop: some milliseconds at most
constexpr double start_costs = 25;         // cost of one distance of the start, relative to a step's

const float* row_of(const StridedMatrix& keys, Index i) { return keys.data + i * keys.stride; }

/// Fraction of the time that the start takes.
double fraction_of_start(Index first_keys, Index batch, Index steps) {
  const double start = start_costs * static_cast<double>(first_keys);
  return start / (start + static_cast<double>(batch) * static_cast<double>(steps));
}

/// Number of keys for the start: only as many as leave every codeword a choice, because the start
/// costs keys · n_code.
Index keys_of_start(Index keys, const CodebookOptions& options) { return std::min(keys, 16 * options.n_code); }

/// The first index at which the cumulative weight is at least `wanted`.
Index draw(const std::vector<double>& weights, double wanted) {
  double sum = 0;
  Index last = 0;
  for (Index i = 0; i < static_cast<Index>(weights.size()); ++i) {
    if (weights[static_cast<std::size_t>(i)] == 0) continue;
    last = i;
    sum += weights[static_cast<std::size_t>(i)];
    if (sum >= wanted) return i;
  }
  return last;
}

Result<void> check(const StridedMatrix& keys, const CodebookOptions& options) {
  if (options.n_code < 1) return invalid("n_code is {} but must be 1 or more", options.n_code);
  if (options.n_code > keys.rows)
    return invalid("n_code is {} but must be at most {}, the number of keys to learn the codewords from",
                   options.n_code, keys.rows);
  if (!(options.gamma >= 0 && options.gamma < 1))
    return invalid("gamma is {} but must be at least 0 and below 1", to_text(options.gamma));
  if (!(options.count_floor > 0)) return invalid("count_floor is {} but must be above 0", to_text(options.count_floor));
  if (options.steps < 0) return invalid("steps is {} but must be 0 or more", options.steps);
  if (options.batch < 1) return invalid("batch is {} but must be 1 or more", options.batch);
  for (Index i = 0; i < keys.rows; ++i)
    if (!best_kernels().all_finite(row_of(keys, i), keys.cols))
      return invalid("key {} has a number that is not finite", i);
  return {};
}

}  // namespace

EmaCodebook::EmaCodebook(std::vector<float> start, Index width, const CodebookOptions& options)
    : m_options(options),
      m_width(width),
      m_codewords(std::move(start)),
      m_counts(static_cast<std::size_t>(options.n_code), 1.0),
      m_sums(m_codewords.begin(), m_codewords.end()) {}

std::vector<std::int32_t> EmaCodebook::encode(const StridedMatrix& keys, const std::stop_token& stop) const {
  const Quantiser quantiser(codewords(), best_kernels());
  std::vector<std::int32_t> codes(static_cast<std::size_t>(keys.rows));
  std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(m_options.threads, 1)));
  const Index items = (keys.rows + keys_between_stops - 1) / keys_between_stops;
  share_out(scratches, items, {.progress = {}, .stop = stop}, 0, items, [&](Index item, Scratch& scratch) {
    const Index begin = item * keys_between_stops;
    const StridedMatrix some{row_of(keys, begin), std::min(keys_between_stops, keys.rows - begin), keys.cols,
                             keys.stride};
    quantiser.encode(some, nullptr, scratch, codes.data() + begin);
  });
  return codes;
}

CodebookFit EmaCodebook::fit(const StridedMatrix& keys) const { return fit(keys, encode(keys)); }

CodebookFit EmaCodebook::fit(const StridedMatrix& keys, const std::vector<std::int32_t>& codes) const {
  const CodeUse use = code_use(codes, m_options.n_code);
  CodebookFit fit{.perplexity = use.perplexity, .dead_codes = m_options.n_code - use.used};
  for (Index i = 0; i < keys.rows; ++i)
    fit.commit_loss +=
        squared_distance(row_of(keys, i), m_codewords.data() + codes[static_cast<std::size_t>(i)] * m_width, m_width);
  fit.commit_loss /= static_cast<double>(keys.rows);
  return fit;
}

CodebookFit EmaCodebook::step(const StridedMatrix& keys, const std::stop_token& stop) {
  const std::vector<std::int32_t> codes = encode(keys, stop);
  if (stop.stop_requested()) return {};
  CodebookFit before = fit(keys, codes);
  const double gamma = m_options.gamma;
  for (double& count : m_counts) count *= gamma;
  for (double& sum : m_sums) sum *= gamma;
  for (Index i = 0; i < keys.rows; ++i) {
    const Index code = codes[static_cast<std::size_t>(i)];
    m_counts[static_cast<std::size_t>(code)] += 1 - gamma;
    for (Index c = 0; c < m_width; ++c)
      m_sums[static_cast<std::size_t>(code * m_width + c)] += (1 - gamma) * static_cast<double>(row_of(keys, i)[c]);
  }
  for (std::size_t i = 0; i < m_codewords.size(); ++i)
    m_codewords[i] = static_cast<float>(
        m_sums[i] / std::max(m_counts[i / static_cast<std::size_t>(m_width)], m_options.count_floor));
  if (m_options.fits_after) add_fit_after(keys, codes, before, stop);
  return before;
}

void EmaCodebook::add_fit_after(const StridedMatrix& keys, const std::vector<std::int32_t>& before,
                                CodebookFit& fit_before, const std::stop_token& stop) const {
  const std::vector<std::int32_t> codes = encode(keys, stop);
  if (stop.stop_requested()) return;
  fit_before.commit_loss_after = fit(keys, codes).commit_loss;
  Index changed = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) changed += codes[i] != before[i] ? 1 : 0;
  fit_before.codes_changed = static_cast<double>(changed) / static_cast<double>(keys.rows);
}

Result<std::vector<float>> kmeans_plus_plus(const StridedMatrix& keys, Index n_code, std::uint64_t seed, int threads,
                                            const Work& work) {
  SeededRandom random(seed);
  std::vector<float> codewords;
  std::vector<double> distances(static_cast<std::size_t>(keys.rows), std::numeric_limits<double>::infinity());
  auto chosen = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(keys.rows));
  for (Index s = 0; s < n_code; ++s) {
    if (work.stop.stop_requested()) return cancelled();
    const float* codeword = row_of(keys, chosen);
    codewords.insert(codewords.end(), codeword, codeword + keys.cols);
    parallel_for((keys.rows + keys_between_stops - 1) / keys_between_stops, threads, [&](Index item) {
      if (work.stop.stop_requested()) return;
      for (Index i = item * keys_between_stops; i < std::min((item + 1) * keys_between_stops, keys.rows); ++i) {
        double& distance = distances[static_cast<std::size_t>(i)];
        distance = std::min(distance, squared_distance(row_of(keys, i), codeword, keys.cols));
      }
    });
    const double all = std::accumulate(distances.begin(), distances.end(), 0.0);
    chosen = draw(distances, random.uniform() * all);
    work.report(static_cast<double>(s + 1) / static_cast<double>(n_code));
  }
  return codewords;
}

double codebook_seconds(Index keys, Index width, const CodebookOptions& options) {
  constexpr double products_per_second = 4e9;
  const auto codes = static_cast<double>(options.n_code);
  const double start = start_costs * static_cast<double>(keys_of_start(keys, options));
  const double steps = static_cast<double>(std::min(options.batch, keys)) * static_cast<double>(options.steps);
  return (start + steps) * codes * static_cast<double>(width) / products_per_second;
}

Result<LearntCodebook> learn_codebook(const StridedMatrix& keys, const CodebookOptions& options, const Work& work,
                                      const std::function<void(const CodebookFit&)>& on_step) {
  if (auto checked = check(keys, options); !checked) return checked.error();
  StridedMatrix first = keys;
  first.rows = keys_of_start(keys.rows, options);
  const Index batch = std::min(options.batch, keys.rows);
  const double start_fraction = fraction_of_start(first.rows, batch, options.steps);
  auto start =
      kmeans_plus_plus(first, options.n_code, options.seed, options.threads,
                       {.progress = [&](double part) { work.report(part * start_fraction); }, .stop = work.stop});
  if (!start) return start.error();
  EmaCodebook codebook(std::move(*start), keys.cols, options);
  LearntCodebook learnt;
  Index begin = 0;
  for (Index step = 0; step < options.steps; ++step) {
    if (work.stop.stop_requested()) return cancelled();
    if (begin + batch > keys.rows) begin = 0;
    learnt.steps.push_back(codebook.step({row_of(keys, begin), batch, keys.cols, keys.stride}, work.stop));
    if (work.stop.stop_requested()) return cancelled();
    begin += batch;
    if (on_step) on_step(learnt.steps.back());
    const double done = static_cast<double>(step + 1) / static_cast<double>(options.steps);
    work.report(start_fraction + (1 - start_fraction) * done);
  }
  learnt.codewords = codebook.values();
  return learnt;
}

}  // namespace vqscope
