// SPDX-License-Identifier: GPL-3.0-or-later
// Reads inputs with something wrong in them: `mutate [--reader all|NAME] [--seed N] [--count N] [--seconds S] [--jobs
// N]
// [--only N] [--folder DIR]`. --count and --seconds are of each reader; --only reads one input in this process, for a
// debugger. The exit status is 1 when something failed.

#include "tests/mutate/worker.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

using namespace vqscope::mutate;

namespace {

struct Options {
  std::string reader = "all";
  std::optional<std::uint64_t> only;
  Run run{.count = 20'000,
          .folder = (std::filesystem::temp_directory_path() / ("vqscope-mutate-" + std::to_string(getpid()))).string()};
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i];
    const std::string value = argv[i + 1];
    if (word == "--reader")
      options.reader = value;
    else if (word == "--seed")
      options.run.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (word == "--count")
      options.run.count = std::strtoull(value.c_str(), nullptr, 10);
    else if (word == "--seconds")
      options.run.seconds = std::atof(value.c_str());
    else if (word == "--jobs")
      options.run.jobs = static_cast<unsigned>(std::max(1, std::atoi(value.c_str())));
    else if (word == "--only")
      options.only = std::strtoull(value.c_str(), nullptr, 10);
    else if (word == "--folder")
      options.run.folder = value;
    else
      return std::nullopt;
  }
  return argc % 2 == 1 ? std::optional(options) : std::nullopt;
}

/// In this process, with its output on standard error.
int read_one(const Reader& reader, const Options& options) {
  std::FILE* const log = fdopen(dup(STDERR_FILENO), "w");
  for (const auto& sentence : reader.read(input_of(reader, options.run.seed, *options.only)))
    std::fprintf(log, "%s\n", sentence.c_str());
  return std::fclose(log);
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse(argc, argv);
  auto readers = file_readers();
  for (auto& reader : capture_readers()) readers.push_back(std::move(reader));
  for (auto& reader : config_readers()) readers.push_back(std::move(reader));
  for (auto& reader : program_readers()) readers.push_back(std::move(reader));
  if (!options) {
    std::puts("mutate [--reader all|NAME] [--seed N] [--count N] [--seconds S] [--jobs N] [--only N] [--folder DIR]");
    return 2;
  }
  std::filesystem::create_directories(options->run.folder);
  Tally all;
  bool known = false;
  for (const auto& reader : readers) {
    if (options->reader != "all" && options->reader != reader.name) continue;
    known = true;
    if (options->only) return read_one(reader, *options);
    const Tally tally = run(reader, options->run);
    std::printf("%-13s %9llu inputs, %d failures, %8.0f a second, slowest %.3f s, at most %llu MiB\n",
                reader.name.c_str(), static_cast<unsigned long long>(tally.inputs), tally.failures,
                static_cast<double>(tally.inputs) / tally.seconds, tally.slowest,
                static_cast<unsigned long long>(tally.memory >> 20));
    std::fflush(stdout);
    all.inputs += tally.inputs;
    all.failures += tally.failures;
  }
  if (!known) return std::fprintf(stderr, "mutate: no reader %s\n", options->reader.c_str()), 2;
  std::printf("all: %llu inputs of seed %llu, %d failures\n", static_cast<unsigned long long>(all.inputs),
              static_cast<unsigned long long>(options->run.seed), all.failures);
  if (all.failures == 0) std::filesystem::remove_all(options->run.folder);
  return all.failures == 0 ? 0 : 1;
}
