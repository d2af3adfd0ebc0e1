// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/sweep_arguments.h"

#include "app/cli/arguments/export_arguments.h"
#include "app/cli/arguments/export_request.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/method/free_name.h"
#include "core/run/sweep.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<Index> integerOf(std::string_view option, const std::string& text, Index most) {
  const auto value = parse_index(text);
  if (value && *value >= 1 && *value <= most) return *value;
  return refusedOption(option, text, "an integer from 1 to " + to_text(most));
}

Result<void> readVaried(SweepArguments& arguments, const std::string& text) {
  auto setting = parseSetting("--vary", text, false);
  if (!setting) return setting.error();
  arguments.varied.push_back(std::move(*setting));
  return {};
}

Result<void> readSeeds(SweepArguments& arguments, const std::string& text) {
  const auto seeds = integerOf("--seeds", text, most_seeds);
  if (!seeds) return seeds.error();
  arguments.seeds = *seeds;
  return {};
}

Result<void> readJobs(SweepArguments& arguments, const std::string& text) {
  const auto jobs = integerOf("--jobs", text, most_jobs);
  if (!jobs) return jobs.error();
  arguments.jobs = *jobs;
  return {};
}

Result<void> readSpreader(SweepArguments& arguments, const std::string& text) {
  const auto spreader = parse_spreader(text);
  if (!spreader) return spreader.error();
  arguments.spreader = *spreader;
  return {};
}

/// Each setting must have an effect in at least one point.
Result<void> checkVaried(const std::vector<Setting>& settings, const Sweep& sweep) {
  std::vector<Setting> unused = settings;
  Result<void> problem;
  const auto count = static_cast<Index>(point_count(sweep));
  for (Index i = 0; i < count && !unused.empty(); ++i) {
    const SweepPoint point = sweep_point(sweep, i);
    const auto specs = parameters_of(*sweep.method, point.values);
    std::erase_if(unused, [&](const Setting& setting) {
      const auto* spec = find_meant(specs, setting.name, sweep.method->id);
      auto used = spec ? check_relevant(*spec, point.values) : Result<void>();
      if (!used) problem = used;
      return used.has_value();
    });
  }
  return unused.empty() ? Result<void>() : problem;
}

}  // namespace

OptionTable<SweepArguments> sweepOptions() {
  return {
      {{"--vary", "NAME=VALUES",
        "a,b,c or lo:hi:step or lo:hi:*factor; semicolons separate lists and texts; may be repeated"},
       readVaried},
      {{"--seeds", "N", "vary seed: its value and the N - 1 after it"}, readSeeds},
      presetOption<SweepArguments>(),
      {{"--out", "DIR", "folder of the sweep, with a file for each finished point"},
       taking<SweepArguments>(&SweepArguments::folder)},
      {{"--shard", "I/N", "compute the I-th of N parts, counted from 1; auto, auto/N: SLURM or GNU parallel sets I"},
       taking<SweepArguments>(&SweepArguments::shard)},
      {{"--jobs", "N", "number of points computed at a time; 1 if not given. Keep 1 for experiments that measure time"},
       readJobs},
      flagOption("--list", &SweepArguments::list, "print the points as lines of JSON and compute nothing"),
      {{"--emit", "HOW", "print a script for slurm, parallel or snakemake; --shard auto/N sets the number of parts",
        false, "slurm parallel snakemake"},
       readSpreader},
      settingOption<SweepArguments>("--set", &SweepArguments::settings, false,
                                    "a parameter that does not vary; may be repeated"),
      settingOption<SweepArguments>(
          "--array", &SweepArguments::settings, true,
          "a parameter that is a list of numbers, or NAME=FILE or NAME=FILE:NAME; may be repeated"),
      {{"--session", "FILE", "start from the values of a session"}, taking<SweepArguments>(&SweepArguments::session)}};
}

Result<SweepArguments> parseSweepArguments(const std::vector<std::string>& arguments) {
  SweepArguments parsed;
  const OptionAction<SweepArguments> take = [](SweepArguments& a, const std::string& word) -> Result<void> {
    if (!a.method.empty())
      return invalid("sweep expects one EXPERIMENT, " + shortened(a.method) + " and " + shortened(word) +
                     " were given");
    a.method = word;
    return {};
  };
  if (auto read = readArguments(parsed, arguments, sweepOptions(), take); !read) return read.error();
  if (auto named = nameExperiment(parsed); !named) return named.error();
  return parsed;
}

Result<Sweep> sweepOf(const SweepArguments& arguments) {
  const auto found = require_method(arguments.method);
  if (!found) return found.error();
  const Method& method = **found;
  std::vector<Varied> all;
  MethodArguments base = arguments;
  for (const auto& setting : arguments.varied) {
    auto varied = vary(method, {setting.name, setting.value});
    if (!varied) return varied.error();
    // With the first value of each varying parameter, the values are those of a point.
    base.settings.push_back({varied->name, format_value(varied->values.front()), false});
    all.push_back(std::move(*varied));
  }
  const auto request = pointRequest(base);
  if (!request) return request.error();
  Sweep sweep{.method = &method, .fixed = request->values, .varied = std::move(all)};
  if (arguments.seeds) {
    auto seeds = vary_seed(method, sweep.fixed, *arguments.seeds);
    if (!seeds) return seeds.error();
    sweep.varied.push_back(std::move(*seeds));
  }
  if (auto checked = check_sweep(sweep); !checked) return checked.error();
  if (auto used = checkVaried(arguments.settings, sweep); !used) return used.error();
  return sweep;
}

std::vector<std::string> wordsToEmit(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"sweep"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--emit" || word == "--shard")
      ++i;
    else if (!word.starts_with("--emit=") && !word.starts_with("--shard="))
      words.push_back(word);
  }
  return words;
}

}  // namespace vqscope
