// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/throughput_tables.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vqscope {
namespace {

constexpr double oom = std::numeric_limits<double>::quiet_NaN();
constexpr std::array published_lengths{2048.0, 8192.0, 32768.0, 131072.0};

/// A row of a table, in thousands of tokens per second.
struct Row {
  const char* reduction;
  const char* head_type;
  std::array<double, 4> full;
  std::array<double, 4> vq;
  std::array<double, 4> speed_up;
};

constexpr std::array rows{
    Row{"serial_scan", "shga", {65.5, 23.9, 6.5, oom}, {63.0, 77.2, 82.1, oom}, {0.962, 3.230, 12.631, oom}},
    Row{"serial_scan", "mqa", {58.9, 10.4, oom, oom}, {63.0, 74.8, 79.7, oom}, {1.070, 7.192, oom, oom}},
    Row{"serial_scan", "mha", {52.0, 9.5, oom, oom}, {49.6, 57.8, 60.7, oom}, {0.955, 6.084, oom, oom}},
    Row{"matmul", "shga", {65.5, 23.9, 6.5, oom}, {62.5, 75.2, 80.0, 69.5}, {0.954, 3.148, 12.250, oom}},
    Row{"matmul", "mqa", {58.9, 10.4, oom, oom}, {62.5, 74.9, 80.2, 67.7}, {1.061, 7.144, oom, oom}},
    Row{"matmul", "mha", {52.0, 9.5, oom, oom}, {48.2, 58.2, 61.6, oom}, {0.926, 6.096, oom, oom}},
    Row{"associative_scan", "shga", {65.5, 23.9, 6.5, oom}, {58.9, 62.2, 63.4, oom}, {0.899, 2.603, 9.754, oom}},
    Row{"associative_scan", "mqa", {58.9, 10.4, oom, oom}, {62.8, 74.2, 79.0, 67.0}, {1.066, 7.134, oom, oom}},
    Row{"associative_scan", "mha", {52.0, 9.5, oom, oom}, {49.1, 55.4, 57.8, oom}, {0.944, 5.831, oom, oom}},
    Row{"input_scan", "shga", {32.0, 12.7, oom, oom}, {40.8, 47.4, 49.4, oom}, {1.275, 3.732, oom, oom}},
    Row{"input_scan", "mqa", {36.2, 14.5, oom, oom}, {54.8, 64.9, 68.3, oom}, {1.514, 4.476, oom, oom}},
    Row{"input_scan", "mha", {30.0, 11.4, oom, oom}, {43.7, 50.7, 53.1, oom}, {1.457, 4.447, oom, oom}}};

void add(Published& published, std::string name, const std::array<double, 4>& values, double unit) {
  const auto known = std::ranges::count(published.series, name, &Published::Series::name);
  if (known > 0) return;  // full attention is the same in all tables without input_scan
  Published::Series series{std::move(name), {}, {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0) {
      series.x.push_back(published_lengths[i]);
      series.y.push_back(unit * values[i]);
    }
  published.series.push_back(std::move(series));
}

}  // namespace

Published published_throughput(bool speed_up, const std::vector<std::string>& head_types,
                               const std::vector<std::string>& reductions) {
  Published published;
  published.source = fmt::format(
      "Lingle 2023, Transformer-VQ, tables 6 to 9: tokens per second in training the whole model on 8 TPU v3 cores{}",
      speed_up ? ", with VQ attention divided by with full attention" : "");
  published.y_title = speed_up ? "speed-up of training a model on TPU v3 (published)"
                               : "tokens per second in training a model on TPU v3 (published)";
  for (const Row& row : rows) {
    if (std::ranges::count(head_types, row.head_type) == 0 || std::ranges::count(reductions, row.reduction) == 0)
      continue;
    const std::string type = row.head_type;
    const std::string reduction = row.reduction;
    if (speed_up) {
      add(published, fmt::format("published {}, {}", type, reduction), row.speed_up, 1);
    } else {
      const bool scanned = reduction == "input_scan";
      add(published, fmt::format("published full {}{}", type, scanned ? ", input_scan" : ""), row.full, 1000);
      add(published, fmt::format("published VQ {}, {}", type, reduction), row.vq, 1000);
    }
  }
  return published;
}

}  // namespace vqscope
