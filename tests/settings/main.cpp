// SPDX-License-Identifier: GPL-3.0-or-later
// Random settings of every method: each must give a finite result or one sentence, within bounds of
// time and memory, and react to a stop. A failure prints its seed, so that `--seed S --first N
// --count 1` repeats it, and a command line.
#include "settings/allocations.h"
#include "settings/program_case.h"
#include "settings/random_values.h"
#include "settings/watched_case.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>

namespace {

using namespace vqscope;
using namespace vqscope::settings;

constexpr double most_seconds = 10;        // of processor time
constexpr double most_of_experiments = 1;  // they report progress and can be stopped: no need to wait for their end
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
constexpr double most_to_stop = 0.1;

struct Options {
  bool stops = false;  ///< request a stop after 1 to 500 ms, and measure the time until it takes effect
  bool verbose = false;
  std::uint64_t seed = 1;
  Index first = 0;
  Index count = 1000;
  double seconds = 1e9;  ///< no case is begun after them
  std::string method;    ///< empty: all
  std::string program;   ///< empty: the core in this process; else the whole program, which is interrupted with --stops
};

constexpr auto usage =
    "random_settings [--stops] [--seed S] [--first N] [--count N] [--seconds S] [--method ID] [--program FILE] "
    "[--verbose]\n";

std::optional<Options> parsed(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--stops" || name == "--verbose") {
      (name == "--stops" ? options.stops : options.verbose) = true;
      continue;
    }
    if (i + 1 == argc) return {};
    const std::string value = argv[++i];
    const auto number = parse_count(value);
    if (name == "--method")
      options.method = value;
    else if (name == "--program")
      options.program = value;
    else if (!number || *number < 0)
      return {};
    else if (name == "--seed")
      options.seed = static_cast<std::uint64_t>(*number);
    else if (name == "--first")
      options.first = *number;
    else if (name == "--count")
      options.count = *number;
    else if (name == "--seconds")
      options.seconds = static_cast<double>(*number);
    else
      return {};
  }
  if (!options.method.empty() && !find_method(options.method)) return {};
  return options;
}

bool is_experiment(const Method& method) {
  return method.category == "vq" || method.category == "memory" || method.category == "experiments";
}

/// Results of one method, over all of its cases.
struct Tally {
  Index cases = 0, refused = 0, failed = 0, stopped = 0;
  double seconds = 0;  ///< the slowest
  std::int64_t bytes = 0;
  double check = 0, remark = 0;
  std::vector<double> stop_seconds;        ///< seconds from stops to their answers
  std::vector<double> reported_processor;  ///< the same of processor time
};

double fraction(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

class Harness {
 public:
  explicit Harness(const Options& options) : m_options(options), m_watchdog(options.stops ? 60 : 20) {
    for (const auto& method : methods()) {
      if (method.run()) continue;  // may take all of the memory
      if (!options.method.empty() && method.id != options.method) continue;
      // Experiments take seconds, and have as many knobs in common: they come up less often.
      for (int i = 0; i < (is_experiment(method) && !options.stops ? 1 : 12); ++i) m_methods.push_back(&method);
    }
  }

  int run() {
    const double begin = now_seconds();
    for (Index i = 0; i < m_options.count && now_seconds() - begin < m_options.seconds; ++i)
      run_case(m_options.first + i);
    report(now_seconds() - begin);
    return m_failed == 0 ? 0 : 1;
  }

 private:
  void run_case(Index number) {
    SeededRandom random(m_options.seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(number));
    const Method& method = *m_methods[random.bits() % m_methods.size()];
    const auto values = m_options.stops ? heavy_values(method, random) : random_values(method, random);
    const bool experiment = is_experiment(method);
    const double until_stop = m_options.stops ? 0.001 + 0.499 * random.uniform()
                              : experiment    ? most_of_experiments
                                              : most_seconds;
    const std::string replay = method.id + ", --seed " + to_text(static_cast<Index>(m_options.seed)) + " --first " +
                               to_text(number) + " --count 1" + (m_options.stops ? " --stops" : "") +
                               (m_options.method.empty() ? "" : " --method " + m_options.method) +
                               (m_options.program.empty() ? "" : " --program " + m_options.program) + "\n  " +
                               command_line(method, values);
    if (!m_options.program.empty()) return run_whole_program(method, values, until_stop, replay, random);
    // A late stop is requested again: a shared machine is sometimes late.
    for (int more = 2;; --more) {
      Allocations::begin(most_bytes);
      const Work work{.progress = {}, .stop = m_watchdog.start(until_stop, !m_options.stops, replay)};
      const Outcome outcome = run_setting(method, values, work, random);
      const Watchdog::Watched watched = m_watchdog.finish();
      if (more == 0 || !came_late(watched)) return add(method, outcome, watched, replay);
    }
  }

  void run_whole_program(const Method& method, const ParameterValues& values, double until_stop,
                         const std::string& replay, SeededRandom& random) {
    constexpr std::array suffixes{"csv", "npy", "json", "png"};
    const std::string suffix = suffixes[random.bits() % suffixes.size()];
    const auto outcome = run_program(m_options.program, method, values, suffix, until_stop);
    Outcome result{.failure = outcome.failure, .refusal = outcome.refused ? "refused" : ""};
    add(method, result,
        {.seconds = outcome.seconds,
         .processor = outcome.seconds,
         .stop_seconds = outcome.stop_seconds,
         .reported_processor = outcome.stop_seconds},
        replay + " (" + suffix + ")");
  }

  /// Seconds until a stop took effect. On a shared machine, the clock alone is unreliable.
  static double stop_seconds(const Watchdog::Watched& watched) {
    return std::min(watched.stop_seconds.value_or(0), watched.reported_processor.value_or(0));
  }
  static bool came_late(const Watchdog::Watched& watched) { return stop_seconds(watched) > most_to_stop; }

  std::string verdict(const Method& method, const Outcome& outcome, const Watchdog::Watched& watched) const {
    if (!outcome.failure.empty() && !outcome.stopped) return outcome.failure;
    if (Allocations::limit_was_met())
      return "more than " + byte_count(static_cast<double>(most_bytes)) + " was asked for";
    if (!m_options.stops && m_options.program.empty() && watched.stop_seconds && !is_experiment(method))
      return "more than " + to_text(most_seconds) + " s";
    if (came_late(watched)) return to_text(stop_seconds(watched), 3) + " s to stop";
    return {};
  }

  void add(const Method& method, const Outcome& outcome, const Watchdog::Watched& watched, const std::string& replay) {
    Tally& tally = m_tallies[method.id];
    ++tally.cases;
    if (!outcome.refusal.empty()) ++tally.refused;
    tally.seconds = std::max(tally.seconds, watched.processor);
    tally.bytes = std::max(tally.bytes, Allocations::peak());
    tally.check = std::max(tally.check, outcome.check_seconds);
    tally.remark = std::max(tally.remark, outcome.remark_seconds);
    if (watched.stop_seconds) ++tally.stopped;
    if (watched.stop_seconds) tally.stop_seconds.push_back(*watched.stop_seconds);
    if (watched.stop_seconds) tally.reported_processor.push_back(*watched.reported_processor);
    const std::string failure = verdict(method, outcome, watched);
    if (m_options.verbose || !failure.empty())
      std::printf("%s (%.2f s, %s) %s\n", failure.empty() ? "clean" : ("FAILED, " + failure).c_str(), watched.processor,
                  byte_count(static_cast<double>(Allocations::peak())).c_str(), replay.c_str());
    if (m_options.verbose && !outcome.refusal.empty()) std::printf("  %s\n", outcome.refusal.c_str());
    std::fflush(stdout);
    if (failure.empty()) return;
    ++tally.failed;
    ++m_failed;
  }

  void report(double seconds) const {
    std::printf("%-26s %6s %7s %6s %7s %9s %8s %9s | %5s %23s | %s\n", "method", "cases", "refused", "failed", "cpu s",
                "peak", "check ms", "remark ms", "stops", "heard: p50, p95, max ms", "of processor time");
    Tally all;
    for (const auto& [id, tally] : m_tallies) {
      print(id, tally);
      all.cases += tally.cases;
      all.refused += tally.refused;
      all.failed += tally.failed;
      all.stopped += tally.stopped;
      all.seconds = std::max(all.seconds, tally.seconds);
      all.bytes = std::max(all.bytes, tally.bytes);
      all.check = std::max(all.check, tally.check);
      all.remark = std::max(all.remark, tally.remark);
      all.stop_seconds.insert(all.stop_seconds.end(), tally.stop_seconds.begin(), tally.stop_seconds.end());
      all.reported_processor.insert(all.reported_processor.end(), tally.reported_processor.begin(),
                                    tally.reported_processor.end());
    }
    print("all of " + to_text(static_cast<Index>(m_tallies.size())) + " methods", all);
    std::printf("%lld settings in %.0f s, %lld failed\n", static_cast<long long>(all.cases), seconds,
                static_cast<long long>(m_failed));
  }

  static void print(const std::string& id, const Tally& tally) {
    const auto times = [](const std::vector<double>& stop_seconds) {
      return std::array{1e3 * fraction(stop_seconds, 0.5), 1e3 * fraction(stop_seconds, 0.95),
                        1e3 * fraction(stop_seconds, 1)};
    };
    const auto clock = times(tally.stop_seconds);
    const auto processor = times(tally.reported_processor);
    std::printf("%-26s %6lld %7lld %6lld %7.3f %9s %8.3f %9.3f | %5lld %7.1f %7.1f %7.1f | %7.1f %7.1f %7.1f\n",
                id.c_str(), static_cast<long long>(tally.cases), static_cast<long long>(tally.refused),
                static_cast<long long>(tally.failed), tally.seconds,
                byte_count(static_cast<double>(tally.bytes)).c_str(), 1e3 * tally.check, 1e3 * tally.remark,
                static_cast<long long>(tally.stopped), clock[0], clock[1], clock[2], processor[0], processor[1],
                processor[2]);
  }

  Options m_options;
  Watchdog m_watchdog;
  std::vector<const Method*> m_methods;
  std::map<std::string, Tally> m_tallies;
  Index m_failed = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto options = parsed(argc, argv);
  if (!options) return std::fputs(usage, stderr), 2;
  const bool known = std::ranges::any_of(methods(), [&](const Method& method) {
    return options->method.empty() || (method.id == options->method && !method.run());
  });
  if (!known) return std::fprintf(stderr, "%s is no method with a matrix or curves\n", options->method.c_str()), 2;
  return Harness(*options).run();
}
