// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/setting_case.h"

#include "core/base/text.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/profile/profile.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace vqscope::settings {
namespace {

constexpr std::size_t longest_sentence = 400;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class Call>
double seconds_of(const Call& call) {
  const double begin = thread_seconds();
  call();
  return thread_seconds() - begin;
}

/// Error of a message; empty: none.
std::string fault_of(const std::string& sentence) {
  const auto letters = std::ranges::count_if(sentence, [](char c) { return (c & 0xc0) != 0x80; });  // of UTF-8
  if (static_cast<std::size_t>(letters) > longest_sentence)
    return "a sentence of " + to_text(static_cast<Index>(letters)) + " letters: " + sentence.substr(0, 120);
  if (sentence.find('\n') != std::string::npos) return "a sentence of several lines: " + sentence;
  return {};
}

class Case {
 public:
  Case(const Method& method, const ParameterValues& values, const Work& work, SeededRandom& random)
      : m_method(method), m_values(values), m_work(work), m_random(random) {}

  Outcome run() {
    try {
      look();
    } catch (const std::exception& error) {
      fail(std::string("an exception left core: ") + error.what());
    }
    m_outcome.stopped = stopped();
    return std::move(m_outcome);
  }

 private:
  void look() {
    Result<void> checked;
    m_outcome.check_seconds = seconds_of([&] { checked = check_method_values(m_method, m_values); });
    if (!checked && !m_method.field() && !m_method.curves()) return refuse(checked.error());
    if (checked) look_at_texts();
    if (stopped()) return;
    m_method.field() ? look_at_field(checked.has_value()) : look_at_curves(checked.has_value());
  }

  /// Only for xPos scales: they show where float32 overflows.
  bool may_overflow() const { return m_method.id == "xpos_scale"; }

  bool stopped() const { return m_work.stop.stop_requested(); }

  void fail(const std::string& what) {
    if (m_outcome.failure.empty()) m_outcome.failure = what;
  }

  /// Any error ends a setting well, but its sentence must be short.
  void refuse(const Error& error) {
    m_outcome.refusal = error.message;
    if (error.message.empty()) fail("an error without a sentence");
    if (auto fault = fault_of(error.message); !fault.empty()) fail(fault);
    if (error.code == Errc::cancelled && !stopped()) fail("cancelled, but nobody requested it");
  }

  void look_at_texts() {
    if (m_method.in_force) {
      const double seconds = seconds_of([&] { m_method.in_force(m_values); });
      m_outcome.check_seconds = std::max(m_outcome.check_seconds, seconds);
    }
    if (m_method.remark) {
      std::string remark;
      m_outcome.remark_seconds = seconds_of([&] { remark = m_method.remark(m_values, m_work); });
      if (auto fault = fault_of(remark); !fault.empty()) fail("remark: " + fault);
    }
    const auto* recipe = m_method.field();
    if (!recipe) return;
    if (recipe->col_name && recipe->col_name(m_values).empty()) fail("col_name is empty");
    if (recipe->categories && recipe->categories(m_values).count < 0) fail("fewer than no categories");
  }

  void look_at_curves(bool checked) {
    const auto set = make_curves(m_method, m_values, m_work);
    if (!set) return refuse(set.error());
    if (!checked) return fail("curves of values that check() refuses");
    for (const auto& curve : set->curves) {
      if (curve.y.size() != set->x.size()) return fail("curve " + curve.name + " is not as long as x");
      for (const double y : curve.y)
        if (std::isinf(y)) return fail("curve " + curve.name + " is infinite");
    }
    for (const double x : set->x)
      if (!std::isfinite(x)) return fail("an x that is not finite");
    if (!std::ranges::is_sorted(set->x)) fail("x do not ascend");
    for (const auto& [name, value] : set->facts)
      if (std::isinf(value)) fail("fact " + name + " is infinite");
    for (const auto& mark : set->marks)
      if (!std::isfinite(mark.x)) fail("mark " + mark.label + " is not finite");
    for (const auto& level : set->levels)
      if (!std::isfinite(level.y)) fail("level " + level.label + " is not finite");
  }

  void look_at_field(bool checked) {
    const auto made = make_field(m_method, m_values, m_work);
    if (!made) return refuse(made.error());
    if (!checked) return fail("a field of values that check() refuses");
    const Field& field = **made;
    const Extent extent = field.extent();
    if (extent.rows < 1 || extent.cols < 1) return fail("a matrix without cells");
    const auto [low, high] = field.value_range();
    if (!std::isfinite(low) || !std::isfinite(high) || low > high)
      return fail("value_range is " + to_text(low) + " to " + to_text(high));
    for (const auto& mark : field.marks())
      if (!std::isfinite(mark.at)) fail("mark " + mark.label + " is not finite");
    for (const auto& [name, value] : field.facts(m_work.stop))
      if (std::isinf(value)) fail("fact " + name + " is infinite");
    summarize(field, {even_edges({0, extent.rows}, 12), even_edges({0, extent.cols}, 16)}, low, high);
    const Range rows = some_of(extent.rows);
    const Range cols = some_of(extent.cols);
    summarize(field, {even_edges(rows, 5), even_edges(cols, 7)}, low, high);
    for (int i = 0; i < 6 && !stopped(); ++i) look_at_cell(field, place(extent.rows, i), place(extent.cols, i));
    if (!stopped()) look_at_block(field, rows, cols);
    if (stopped()) return;
    const auto profile = row_profile(field, place(extent.rows, 5), {0, extent.cols}, 64, m_work.stop);
    if (!profile) refuse(profile.error());
  }

  Index below(Index count) { return static_cast<Index>(m_random.bits() % static_cast<std::uint64_t>(count)); }

  /// The corners first.
  Index place(Index side, int i) { return i == 0 ? 0 : i == 1 ? side - 1 : below(side); }

  Range some_of(Index side) {
    const Index begin = below(side);
    const Index most = side - begin;
    return {begin, begin + 1 + below(std::min<Index>(most, below(2) == 0 ? 64 : most))};
  }

  void summarize(const Field& field, const TileGrid& grid, double low, double high) {
    if (stopped()) return;
    Summary summary;
    const auto done = field.summarize(grid, {.threads = 2, .stop = m_work.stop}, summary);
    if (!done) return refuse(done.error());
    const double slack = 1e-5 * std::max({std::abs(low), std::abs(high), 1e-30});
    for (std::size_t i = 0; i < summary.mean.size(); ++i) {
      const double min = static_cast<double>(summary.min[i]);
      const double max = static_cast<double>(summary.max[i]);
      const double mean = static_cast<double>(summary.mean[i]);
      if (std::isinf(min) || std::isinf(max) || std::isinf(mean)) {
        if (may_overflow()) continue;
        return fail("a tile is infinite");
      }
      if (std::isnan(min) != std::isnan(max)) return fail("a tile has one extreme alone");
      if (summary.coherence.empty() && (mean < min - slack || mean > max + slack))
        return fail("a tile's mean " + to_text(mean) + " is not within " + to_text(min) + " to " + to_text(max));
    }
  }

  void look_at_cell(const Field& field, Index row, Index col) {
    const double value = field.at(row, col);
    if (std::isinf(value) && !may_overflow()) fail("cell " + to_text(row) + ", " + to_text(col) + " is infinite");
    const CellReport report = field.report(row, col);
    if (report.facts.empty()) fail("nothing is said of a cell");
    if (report.why.size() > 2 * longest_sentence) fail("too much is said of a cell: " + report.why.substr(0, 120));
  }

  void look_at_block(const Field& field, Range rows, Range cols) {
    const Rect block{{rows.begin, std::min(rows.end, rows.begin + 5)},
                     {cols.begin, std::min(cols.end, cols.begin + 9)}};
    std::vector<double> cells(static_cast<std::size_t>(block.area()));
    field.read(block, std::span(cells));
    for (const double cell : cells)
      if (std::isinf(cell) && !may_overflow()) return fail("a cell that is read is infinite");
  }

  const Method& m_method;
  const ParameterValues& m_values;
  const Work& m_work;
  SeededRandom& m_random;
  Outcome m_outcome;
};

}  // namespace

Outcome run_setting(const Method& method, const ParameterValues& values, const Work& work, SeededRandom& random) {
  return Case(method, values, work, random).run();
}

}  // namespace vqscope::settings
