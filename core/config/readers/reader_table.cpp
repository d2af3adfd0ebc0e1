// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/config_doctor.h"
#include "core/config/config_parts.h"
#include "core/config/family/model_family.h"
#include "core/config/readers/config_readers.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double same = 1e-6;

bool equal(double a, double b) { return std::abs(a - b) <= same * std::max(std::abs(a), std::abs(b)); }

/// The pair whose frequency differs most from the meant one, and their ratio.
struct PairRatio {
  std::size_t pair = 0;
  double ratio = 1;
};

PairRatio largest_ratio(const RopeReading& meant, const RopeReading& read) {
  PairRatio most;
  for (std::size_t i = 0; i < std::min(meant.inv_freq.size(), read.inv_freq.size()); ++i) {
    const double ratio = read.inv_freq[i] / meant.inv_freq[i];
    if (std::abs(std::log(ratio)) > std::abs(std::log(most.ratio)) + same) most = {i, ratio};
  }
  return most;
}

/// One fact of a RoPE: its text, whether two readings agree on it, and what follows where they do
/// not.
struct RopeFact {
  const char* name;
  std::string (*shown)(const RopeReading& meant, const RopeReading& read);
  bool (*agrees)(const RopeReading& meant, const RopeReading& read);
  std::string (*consequence)(const RopeReading& meant, const RopeReading& read);
};

std::string frequencies_text(const RopeReading& meant, const RopeReading& read) {
  if (read.inv_freq.empty()) return "none";
  const std::string range = fmt::format("{} … {}", to_text(read.inv_freq.front(), 4), to_text(read.inv_freq.back(), 4));
  const PairRatio most = largest_ratio(meant, read);
  return most.ratio == 1 ? range : fmt::format("{}; pair {} × {}", range, most.pair, to_text(most.ratio, 4));
}

std::string speed_text(const RopeReading& meant, const RopeReading& read) {
  const PairRatio most = largest_ratio(meant, read);
  const double times = most.ratio > 1 ? most.ratio : 1 / most.ratio;
  return fmt::format("pair {} turns {} times as {} as in training, so distances look {} than they are", most.pair,
                     to_text(times, 4), most.ratio > 1 ? "fast" : "slowly", most.ratio > 1 ? "longer" : "shorter");
}

const RopeFact theta_fact{
    "rope_theta", [](const RopeReading&, const RopeReading& read) { return plain_text(read.theta); },
    [](const RopeReading& meant, const RopeReading& read) { return equal(meant.theta, read.theta); },
    [](const RopeReading& meant, const RopeReading& read) {
      return fmt::format("rope_theta {} instead of {}: {}; the output is wrong at every length without any message",
                         plain_text(read.theta), plain_text(meant.theta), speed_text(meant, read));
    }};

const RopeFact type_fact{
    "rope_type", [](const RopeReading&, const RopeReading& read) { return read.type; },
    [](const RopeReading& meant, const RopeReading& read) { return meant.type == read.type; },
    [](const RopeReading& meant, const RopeReading& read) {
      return read.type == "default"
                 ? fmt::format("{} is not applied: beyond {} tokens pairs meet angles that they never had in training",
                               meant.type, meant.trained)
                 : fmt::format("{} is computed instead of {}", read.type, meant.type);
    }};

const RopeFact factor_fact{
    "factor", [](const RopeReading&, const RopeReading& read) { return plain_text(read.factor); },
    [](const RopeReading& meant, const RopeReading& read) { return equal(meant.factor, read.factor); },
    [](const RopeReading& meant, const RopeReading& read) {
      const double reached = read.factor * static_cast<double>(read.trained);
      const double intended = meant.factor * static_cast<double>(meant.trained);
      const std::string factors =
          fmt::format("a factor of {} instead of {}", plain_text(read.factor), plain_text(meant.factor));
      if (equal(reached, intended))  // a longer training length makes up for it, in number alone
        return fmt::format("{}, on a training length of {} tokens instead of {}: as many tokens, at other angles",
                           factors, read.trained, meant.trained);
      return fmt::format("{} reaches {} tokens instead of {}", factors, plain_text(std::round(reached)),
                         plain_text(std::round(intended)));
    }};

const RopeFact trained_fact{
    "training length", [](const RopeReading&, const RopeReading& read) { return to_text(read.trained); },
    [](const RopeReading& meant, const RopeReading& read) { return meant.trained == read.trained; },
    [](const RopeReading& meant, const RopeReading& read) {
      return fmt::format("{} tokens are taken as the training length instead of {}, from which the scaling follows",
                         read.trained, meant.trained);
    }};

const RopeFact attention_fact{
    "attention factor", [](const RopeReading&, const RopeReading& read) { return to_text(read.attention_factor, 6); },
    [](const RopeReading& meant, const RopeReading& read) {
      return equal(meant.attention_factor, read.attention_factor);
    },
    [](const RopeReading& meant, const RopeReading& read) {
      const double ratio = std::pow(read.attention_factor / meant.attention_factor, 2);
      return fmt::format("attention logits are {} times as large as in training, so attention is {}", to_text(ratio, 4),
                         ratio > 1 ? "sharper" : "flatter");
    }};

const RopeFact softmax_fact{
    "softmax factor", [](const RopeReading&, const RopeReading& read) { return to_text(read.softmax_factor, 6); },
    [](const RopeReading& meant, const RopeReading& read) { return equal(meant.softmax_factor, read.softmax_factor); },
    [](const RopeReading& meant, const RopeReading& read) {
      return fmt::format("attention logits are {} times as large as in training",
                         to_text(read.softmax_factor / meant.softmax_factor, 4));
    }};

const RopeFact frequency_fact{
    "inverse frequencies", frequencies_text,
    [](const RopeReading& meant, const RopeReading& read) {
      return meant.inv_freq.size() == read.inv_freq.size() && largest_ratio(meant, read).ratio == 1;
    },
    [](const RopeReading& meant, const RopeReading& read) {
      return meant.inv_freq.size() != read.inv_freq.size()
                 ? fmt::format("{} pairs rotate instead of {}", read.inv_freq.size(), meant.inv_freq.size())
                 : speed_text(meant, read);
    }};

const RopeFact layout_fact{
    "pair layout",
    [](const RopeReading&, const RopeReading& read) {
      return std::string(read.interleaved ? "interleaved" : "half-split");
    },
    [](const RopeReading& meant, const RopeReading& read) { return meant.interleaved == read.interleaved; },
    [](const RopeReading&, const RopeReading&) {
      return std::string("other dimensions are rotated together, so the output is noise");
    }};

bool reads(const ConfigReading& reading) { return reading.missing.empty() && reading.refused.empty(); }

/// The cell of a reader that does not load the config. A missing model is stated in a separate row.
ReaderCell unread_cell(const ConfigReading& reading) {
  if (!reading.missing.empty()) return {"–", false, {}};
  return {"does not load", true, reading.refused};
}

/// It is not known for every model whether a reader has it.
ReaderCell model_cell(const ConfigReading&, const ConfigReading& reading) {
  if (reading.missing.empty()) return {reading.known ? "assumed" : "not known", false, {}};
  return {"does not have this model", true, reading.missing};
}

ReaderCell cell_of(const RopeFact& fact, const RopeReading& meant, const ConfigReading& reading) {
  if (!reads(reading)) return unread_cell(reading);
  const RopeReading* read = reading.rope_of(meant.layers);
  if (!read) return {"no RoPE", true, "these layers have no position encoding in this reader"};
  ReaderCell cell{fact.shown(meant, *read), !fact.agrees(meant, *read), {}};
  if (cell.differs) cell.consequence = fact.consequence(meant, *read);
  return cell;
}

void add_rope_rows(const RopeReading& meant, const std::vector<ConfigReading>& readings, ReaderMatrix& matrix) {
  for (const RopeFact* fact : {&theta_fact, &type_fact, &factor_fact, &trained_fact, &attention_fact, &softmax_fact,
                               &frequency_fact, &layout_fact}) {
    ReaderRow row{fact->name, meant.layers, {}};
    for (const auto& reading : readings) row.cells.push_back(cell_of(*fact, meant, reading));
    const bool plain = std::ranges::all_of(
        row.cells, [](const ReaderCell& each) { return !each.differs && (each.value == "1" || each.value == "–"); });
    const bool optional = fact == &factor_fact || fact == &softmax_fact;
    if (!optional || !plain) matrix.rows.push_back(std::move(row));
  }
}

ReaderCell longest_cell(const ConfigReading& meant, const ConfigReading& reading) {
  if (!reads(reading)) return unread_cell(reading);
  ReaderCell cell{to_text(reading.longest), reading.longest != meant.longest, {}};
  if (reading.longest > meant.longest)
    cell.consequence =
        fmt::format("sequences of up to {} tokens are accepted, beyond the {} that the config is made for",
                    reading.longest, meant.longest);
  else if (cell.differs)
    cell.consequence = fmt::format("sequences beyond {} tokens are refused or cut, though the config is made for {}",
                                   reading.longest, meant.longest);
  return cell;
}

std::string windows_text(const ConfigReading& reading) {
  std::vector<std::string> parts;
  for (const auto& kind : reading.layers)
    if (kind.window > 0)
      parts.push_back(fmt::format("{} on {} {}", kind.window, kind.count, kind.count == 1 ? "layer" : "layers"));
  return parts.empty() ? "none" : join(parts, ", ");
}

std::string nope_text(const ConfigReading& reading) {
  Index without = 0;
  for (const auto& kind : reading.layers)
    if (!kind.rope && attends(kind.name)) without += kind.count;
  return without == 0 ? "none" : to_text(without);
}

ReaderCell window_cell(const ConfigReading& meant, const ConfigReading& reading) {
  if (!reads(reading)) return unread_cell(reading);
  constexpr std::size_t longest = 150;  // the file chooses how many windows there are
  const std::string read = windows_text(reading), intended = windows_text(meant);
  ReaderCell cell{shortened(read, longest), read != intended, {}};
  if (cell.differs)
    cell.consequence = fmt::format(
        "layers attend to other keys than in training (windows: {} instead of {}), so the "
        "output differs as soon as a sequence is longer than the window",
        cell.value, shortened(intended, longest));
  return cell;
}

ReaderCell nope_cell(const ConfigReading& meant, const ConfigReading& reading) {
  if (!reads(reading)) return unread_cell(reading);
  ReaderCell cell{nope_text(reading), nope_text(reading) != nope_text(meant), {}};
  if (cell.differs)
    cell.consequence = fmt::format("{} layers attend without RoPE instead of {}", nope_text(reading), nope_text(meant));
  return cell;
}

void add_row(std::string fact, ReaderCell (*cell)(const ConfigReading&, const ConfigReading&),
             const ConfigReading& meant, const std::vector<ConfigReading>& readings, ReaderMatrix& matrix) {
  ReaderRow row{std::move(fact), {}, {}};
  for (const auto& reading : readings) row.cells.push_back(cell(meant, reading));
  matrix.rows.push_back(std::move(row));
}

}  // namespace

ReaderMatrix reader_matrix(const ConfigReading& meant, const std::vector<ConfigReading>& readings) {
  ReaderMatrix matrix;
  for (const auto& reading : readings) matrix.readers.push_back(reading.reader);
  if (std::ranges::any_of(readings, [](const ConfigReading& each) { return !each.missing.empty() || !each.known; }))
    add_row("model", model_cell, meant, readings, matrix);
  add_row("longest sequence", longest_cell, meant, readings, matrix);
  for (const auto& rope : meant.ropes) add_rope_rows(rope, readings, matrix);
  if (meant.layers.empty()) return matrix;
  add_row("sliding window", window_cell, meant, readings, matrix);
  add_row("layers without RoPE", nope_cell, meant, readings, matrix);
  return matrix;
}

ReaderMatrix read_reader_matrix(const ConfigValue& root, const ConfigReport& report) {
  if (report.ropes.empty()) return {};
  ReadConfig config{root, report};
  const ConfigReading newest = read_as_hugging_face_5(config);
  config.hugging_face_5 = &newest;
  std::vector<ConfigReading> readings;
  const auto add = [&](ConfigReading reading, std::optional<ModelReader> reader, const ConfigReport& read) {
    const std::string_view inner = inner_model_type(read.model_type);
    reading.known = read.model_type.empty() || !inner.empty() || find_model_family(read.model_type).known();
    const bool remote = reader == ModelReader::hugging_face_4 && root.find("auto_map");
    if (remote && !missing_model(*reader, read.model_type).empty())
      reading.known = false;  // version 4 runs the code beside the file, if that is allowed
    else if (reader)
      reading.missing = missing_model(*reader, inner.empty() ? read.model_type : inner);
    readings.push_back(std::move(reading));
  };
  add(read_as_hugging_face_4(config), ModelReader::hugging_face_4, report);
  add(newest, {}, report);
  if (report.model_type == "minimax_m2" && text_model_of(root).find("rotary_dim"))
    add(read_as_older_hugging_face_5(config), {}, report);
  const bool yarn =
      std::ranges::any_of(report.ropes, [](const RopeUse& use) { return use.scaling.rope_type == "yarn"; });
  const auto other_root = read_by_class(root, report);
  const auto other = other_root ? ConfigDoctor(*other_root, ConfigDetails::without_implementations).examine()
                                : Result<ConfigReport>(report);
  ReadConfig by_class = other && other_root ? ReadConfig{*other_root, *other} : config;
  const ConfigReading newest_by_class = read_as_hugging_face_5(by_class);
  by_class.hugging_face_5 = &newest_by_class;
  add(read_as_vllm(by_class), ModelReader::vllm, by_class.report);
  if (yarn) add(read_as_older_vllm(by_class), ModelReader::vllm, by_class.report);
  add(read_as_sglang(by_class), ModelReader::sglang, by_class.report);
  add(read_as_llama_cpp(by_class), ModelReader::llama_cpp, by_class.report);
  if (yarn) add(read_as_yarn_paper(config), {}, report);
  return reader_matrix(reading_of("", report), readings);
}

}  // namespace vqscope
