// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generate/generation.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/model/generate/decoder.h"
#include "core/model/pass/transformer_pass.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

/// Sets probabilities outside the nucleus to 0 and rescales the rest to sum to 1.
void keep_nucleus(double top_p, std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < order.size() && (kept == 0 || sum < top_p)) sum += p[order[kept++]];
  for (std::size_t i = kept; i < order.size(); ++i) p[order[i]] = 0;
  for (double& one : p) one /= sum;
}

template <class Real>
class Generation {
 public:
  Generation(const TransformerConfig& config, const Parameters<Real>& parameters, const GenerationOptions& options,
             const Work& work)
      : m_config(config), m_parameters(parameters), m_options(options), m_random(options.seed), m_work(work) {}

  Result<std::vector<std::int32_t>> run(std::span<const std::int32_t> prompt) {
    m_tokens.assign(prompt.begin(), prompt.end());
    const auto whole = static_cast<Index>(prompt.size()) + m_options.count;
    if (auto checked = check(whole); !checked) return checked.error();
    if (m_options.cache) {
      auto decoder = Decoder<Real>::create(m_config, m_parameters, whole);
      if (!decoder) return decoder.error();
      m_decoder = std::move(*decoder);
    }
    for (Index i = 0; i < m_options.count; ++i) {
      const auto logits = m_options.cache ? read_new() : read_all();
      if (!logits) return logits.error();
      if (auto added = add(*logits); !added) return added.error();
      m_work.report(static_cast<double>(i + 1) / static_cast<double>(m_options.count));
    }
    return std::move(m_tokens);
  }

 private:
  Result<void> check(Index whole) const {
    if (m_tokens.empty()) return invalid("the prompt has no token but must have at least one");
    if (m_config.pos == PositionKind::learned && whole > m_config.max_pos)
      return invalid("the prompt and {} tokens more are {}, the table of learned positions has {}", m_options.count,
                     whole, m_config.max_pos);
    return check_batch(m_config, {1, static_cast<Index>(m_tokens.size()), m_tokens});
  }

  Result<std::vector<double>> read_new() {
    std::span<const Real> logits;
    while (m_decoder->tokens() < static_cast<Index>(m_tokens.size())) {
      if (m_work.stop.stop_requested()) return cancelled();
      logits = m_decoder->read(m_tokens[static_cast<std::size_t>(m_decoder->tokens())]);
    }
    return std::vector<double>(logits.begin(), logits.end());
  }

  Result<std::vector<double>> read_all() {
    const auto length = static_cast<Index>(m_tokens.size());
    const auto pass = TransformerPass<Real>::create(m_config, m_parameters.layout, 1, length, Keep::logits);
    if (!pass) return pass.error();
    if (auto ran = (*pass)->run(m_parameters, {1, length, m_tokens}, nullptr, 1, m_work.stop); !ran) return ran.error();
    const auto last = (*pass)->logits(0).last(static_cast<std::size_t>(m_config.vocab));
    return std::vector<double>(last.begin(), last.end());
  }

  Result<void> add(const std::vector<double>& logits) {
    const auto bad = std::ranges::find_if(logits, [](double logit) { return !std::isfinite(logit); });
    if (bad != logits.end())
      return invalid("a logit after {} tokens is {} but must be finite", m_tokens.size(), plain_text(*bad));
    m_tokens.push_back(sample_token(logits, m_options.sampler, m_random));
    return {};
  }

  const TransformerConfig& m_config;
  const Parameters<Real>& m_parameters;
  const GenerationOptions& m_options;
  SeededRandom m_random;
  const Work& m_work;
  std::vector<std::int32_t> m_tokens;
  std::unique_ptr<Decoder<Real>> m_decoder;
};

}  // namespace

std::vector<double> token_probabilities(std::span<const double> logits, const SamplerOptions& options) {
  std::vector<double> p(logits.size());
  const auto largest = std::ranges::max_element(logits);
  if (options.temperature <= 0) {
    p[static_cast<std::size_t>(largest - logits.begin())] = 1;
    return p;
  }
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::exp((logits[i] - *largest) / options.temperature);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& one : p) one /= sum;
  if (options.top_p < 1) keep_nucleus(options.top_p, p);
  return p;
}

std::int32_t sample_token(std::span<const double> logits, const SamplerOptions& options, SeededRandom& random) {
  const std::vector<double> p = token_probabilities(logits, options);
  const double drawn = random.uniform();
  double sum = 0;
  std::int32_t chosen = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == 0) continue;
    chosen = static_cast<std::int32_t>(i);
    sum += p[i];
    if (drawn <= sum) break;
  }
  return chosen;
}

template <class Real>
Result<std::vector<std::int32_t>> generate(const TransformerConfig& config, const Parameters<Real>& parameters,
                                           std::span<const std::int32_t> prompt, const GenerationOptions& options,
                                           const Work& work) {
  return guarded([&] { return Generation<Real>(config, parameters, options, work).run(prompt); });
}

template Result<std::vector<std::int32_t>> generate(const TransformerConfig&, const Parameters<float>&,
                                                    std::span<const std::int32_t>, const GenerationOptions&,
                                                    const Work&);
template Result<std::vector<std::int32_t>> generate(const TransformerConfig&, const Parameters<double>&,
                                                    std::span<const std::int32_t>, const GenerationOptions&,
                                                    const Work&);

}  // namespace vqscope
