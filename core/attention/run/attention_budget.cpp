// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of VQ attention takes of memory and time, before it begins.
#include "core/attention/codebook/keys.h"
#include "core/attention/forms/attention_forms.h"
#include "core/attention/forms/form_parts.h"
#include "core/attention/run/attention_run.h"
#include "core/base/guard.h"
#include "core/base/sentence.h"

#include <cmath>

namespace vqscope {
namespace {

double bytes_of(const VqAttentionTensors& tensors) {
  double numbers = 0;
  for (const auto* tensor : {&tensors.q, &tensors.k, &tensors.v, &tensors.codebook, &tensors.gate, &tensors.key_valid})
    numbers += static_cast<double>(tensor->values.size());
  return 4 * numbers;
}

}  // namespace

double VqAttentionRun::memory_of(Index learnt) const {
  AttentionInput in = input(m_options.form);
  double needed = bytes_of(m_tensors);
  if (learnt > 0) {
    in.codebook = {{}, in.k.heads, learnt, in.k.cols};
    needed += 4 * static_cast<double>(in.k.heads * in.k.cols) * static_cast<double>(in.codebook.rows);
  }
  needed += attention_memory(in, m_options);
  if (m_rotation.is_late()) needed += 8 * static_cast<double>(m_tensors.q.values.size() + m_tensors.k.values.size());
  if (!compares()) return needed;
  AttentionOptions exact = m_options;
  exact.form = AttentionForm::exact;
  return needed + attention_memory(in, exact) + 4 * static_cast<double>(m_tensors.k.values.size());
}

Result<void> VqAttentionRun::check_memory() const {
  const AttentionInput in = input(m_options.form);
  const double needed = memory_of(needs_codebook() ? m_values.integer("n_code") : 0);
  if (m_memory_limit <= 0 || needed <= m_memory_limit) return {};
  return too_large(
      "attention over {} tokens needs {} of memory with its tensors, the limit is {}; most_memory raises it up to the "
      "memory of the machine",
      in.q.rows, byte_count(needed), byte_count(m_memory_limit));
}

double VqAttentionRun::seconds_of_codes(Index n_code) const {
  AttentionInput in = input(m_options.form);
  CodebookOptions options = codebook_options();
  options.n_code = n_code;
  in.codebook = {{}, in.k.heads, n_code, in.k.cols};
  return static_cast<double>(in.k.heads) * codebook_seconds(in.k.rows, in.k.cols, options) +
         attention_seconds(in, m_options);
}

double VqAttentionRun::seconds_of_work() const {
  if (needs_codebook()) return seconds_of_codes(m_values.integer("n_code"));
  return attention_seconds(input(m_options.form), m_options);
}

/// Exact attention, and the weights of both forms.
double VqAttentionRun::seconds_of_comparison() const {
  AttentionOptions exact = m_options;
  exact.form = AttentionForm::exact;
  return 3 * attention_seconds(input(exact.form), exact);
}

bool VqAttentionRun::compares() const {
  if (m_options.form == AttentionForm::exact) return m_values.boolean("compare");
  return m_values.boolean("compare") || seconds_of_comparison() <= m_values.real("most_seconds");
}

Result<void> VqAttentionRun::check_time() const {
  const double limit = m_values.real("most_seconds");
  const double needed = seconds_of_work() + (m_values.boolean("compare") ? seconds_of_comparison() : 0);
  if (needed <= limit) return {};
  return too_large("attention over {} tokens takes about {} s of one core, most_seconds is {}",
                   input(m_options.form).q.rows, plain_text(std::ceil(needed)), plain_text(limit));
}

}  // namespace vqscope
