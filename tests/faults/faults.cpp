// SPDX-License-Identifier: GPL-3.0-or-later
// Lets every n-th call to the system fail in commands that write, gives them less and less memory, and kills them at
// every n-th call and at random moments. `faults [--target NAME] [--kills N] [--allocations N] [--seed N] [--folder
// DIR] [-- COMMAND...]` A failure prints a line to run it again, and the exit status is 1. What is behind -- is a
// target of its own: a command, and with --writes FILE the files that it writes.

#include "tests/faults/target.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <random>

using namespace vqscope::faults;

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string only;
  int kills = 40;         ///< at random moments, of each target
  int allocations = 150;  ///< of each command, spread over all of them
  unsigned seed = 1;
  fs::path folder = fs::temp_directory_path() / ("vqscope-faults-" + std::to_string(getpid()));
  Target own{.name = "own", .command = {}, .files = {}};
};

struct Tally {
  int faults = 0;
  int kills = 0;
  int failures = 0;
};

/// Missing features of the file system: the alternatives of WholeFile.
const Words lacking{"", "proc", "tmpfile", "tmpfile,rename_flags", "tmpfile,rename_flags,link"};

const Words failing_calls{"open", "read", "write", "fsync", "ftruncate", "rename", "link", "close"};
constexpr int most_room = 160;  // MiB, from which on nothing fails
constexpr auto killed_calls = "open,write,fsync,ftruncate,rename,link,unlink,close";

Words quoted(const Words& settings, const Words& command) {
  Words all{"env"};
  all.insert(all.end(), settings.begin(), settings.end());
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

void report(const Target& target, const Words& settings, const std::string& why, const Outcome& outcome, Tally& tally) {
  ++tally.failures;
  std::printf("FAILED %s: %s\n  status %d, signal %d, said: %s\n  again:", target.name.c_str(), why.c_str(),
              outcome.status, outcome.signal, outcome.err.c_str());
  for (const auto& word : quoted(settings, target.command)) std::printf(" %s", word.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

/// One line that names the program, with at most 400 characters and no control character.
std::string check_sentence(const std::string& output) {
  if (output.empty() || output.back() != '\n' || output.find('\n') + 1 != output.size())
    return "not one line on stderr";
  if (!output.starts_with("vqscope: ")) return "the line is not ours";
  if (output.size() > 420) return "the line has " + std::to_string(output.size()) + " bytes";
  for (const char c : output)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n') return "a control character in the line";
  return {};
}

std::string check_fault(const Stage& stage, const Outcome& outcome, int clean_status) {
  if (outcome.status == clean_status) return stage.check_done();
  if (outcome.status != 2) return "neither done nor refused";
  if (!outcome.out.empty()) return "something on stdout";
  if (const auto wrong = check_sentence(outcome.err); !wrong.empty()) return wrong;
  return stage.check_failed();
}

class Trial {
 public:
  Trial(const Target& target, const Options& options, Tally& tally)
      : m_target(target), m_options(options), m_tally(tally), m_stage(target, options.folder / "stage") {}

  /// false: not even the undisturbed command does what it should.
  bool begin() {
    m_clean = run(m_target.command, m_stage.folder(), {});
    m_stage.learn();
    if (m_clean.status >= 0 && m_clean.status < 2) return true;
    report(m_target, {}, "the undisturbed command failed", m_clean, m_tally);
    return false;
  }

  void fail_each_call() {
    for (const auto& without : lacking)
      for (const auto& call : failing_calls) {
        const long calls = count(call, without);
        for (long at = 1; at <= calls; ++at)
          for (const int error : {EIO, ENOSPC}) fail(call, at, error, without);
      }
  }

  void fail_allocations() {
    const long calls = count("new", "");
    // All of the first, and of the others a few.
    const long step = std::max(1L, calls / std::max(1, m_options.allocations));
    for (long at = 1 + m_options.seed % step; at <= calls; at += step) fail("new", at, ENOMEM, "");
  }

  /// Malloc fails too, and whatever else needs addresses: threads, files that are mapped.
  void limit_memory() {
    for (int room = 0; room < most_room; room += 8) {
      m_stage.reset();
      auto all = settings("", 0, "kill", "");
      all.push_back("VQSCOPE_FAULT_ROOM=" + std::to_string(room));
      judge(all);
    }
  }

  void kill_at_each_call() {
    for (const auto& without : lacking) {
      const long calls = count(killed_calls, without);
      for (long at = 1; at <= calls; ++at)
        for (const char* how : {"kill", "kill_after", "kill_half"})
          kill(settings(killed_calls, at, how, without), settings(killed_calls, 0, how, without), {});
    }
  }

  void kill_at_random() {
    std::mt19937 random(m_options.seed);
    std::uniform_real_distribution<double> moment(0, 1.2 * m_clean.seconds);
    for (int i = 0; i < m_options.kills; ++i) kill({}, {}, moment(random));
  }

 private:
  Words settings(const std::string& calls, long at, const std::string& how, const std::string& without) const {
    return {"LD_PRELOAD=" VQSCOPE_FAULT_LIBRARY, "VQSCOPE_FAULT_FOLDER=" + fs::canonical(m_stage.folder()).string(),
            "VQSCOPE_FAULT_CALLS=" + calls,      "VQSCOPE_FAULT_AT=" + std::to_string(at),
            "VQSCOPE_FAULT_ERRNO=" + how,        "VQSCOPE_FAULT_WITHOUT=" + without};
  }

  /// How often an undisturbed run makes these calls.
  long count(const std::string& calls, const std::string& without) {
    m_stage.reset();
    const auto counted = m_options.folder / "count";
    auto all = settings(calls, 0, "kill", without);
    all.push_back("VQSCOPE_FAULT_COUNT=" + counted.string());
    const auto outcome = run(m_target.command, m_stage.folder(), all);
    if (const auto wrong = m_stage.check_done(); outcome.status != m_clean.status || !wrong.empty())
      report(m_target, all, "without a fault: " + wrong, outcome, m_tally);
    long count = 0;
    std::ifstream(counted) >> count;
    return count;
  }

  void fail(const std::string& call, long at, int error, const std::string& without) {
    m_stage.reset();
    judge(settings(call, at, std::to_string(error), without));
  }

  void judge(const Words& all) {
    const auto outcome = run(m_target.command, m_stage.folder(), all);
    ++m_tally.faults;
    if (const auto wrong = check_fault(m_stage, outcome, m_clean.status); !wrong.empty())
      report(m_target, all, wrong, outcome, m_tally);
  }

  /// And the next run on the same file system finds nothing in its way, and leaves nothing of it.
  void kill(const Words& all, const Words& next, std::optional<double> moment) {
    m_stage.reset();
    const auto outcome = run(m_target.command, m_stage.folder(), all, moment);
    ++m_tally.kills;
    auto wrong =
        outcome.signal == 0 && outcome.status != m_clean.status ? "neither killed nor done" : m_stage.check_killed();
    if (wrong.empty() && m_tally.kills % 8 == 0) wrong = check_next(next);
    if (!wrong.empty()) report(m_target, all, wrong, outcome, m_tally);
  }
  std::string check_next(const Words& same_file_system) {
    const auto next = run(m_target.command, m_stage.folder(), same_file_system);
    return next.status != m_clean.status ? "the next run failed: " + next.err : m_stage.check_done();
  }

  const Target& m_target;
  const Options& m_options;
  Tally& m_tally;
  Stage m_stage;
  Outcome m_clean;
};

Target command(const std::string& name, const Words& words, const Words& files = {}, const Words& inputs = {},
               bool former = true) {
  Target target{.name = name, .command = {VQSCOPE_PROGRAM}, .files = files, .inputs = inputs, .former = former};
  target.command.insert(target.command.end(), words.begin(), words.end());
  return target;
}

Words tensors() {
  Words all;
  for (const char* name : {"q", "k", "v", "codebook"})
    all.push_back(VQSCOPE_TEST_DATA "/vq/" + std::string(name) + ".npy");
  return all;
}

std::vector<Target> writing_targets() {
  return {command("export", {"export", "t5_bucket", "--set", "q_length=16", "--out", "a.csv", "b.npy", "c.json"},
                  {"a.csv", "b.npy", "c.json"}),
          command("new-export", {"export", "alibi", "--set", "q_length=16", "--out", "a.csv", "b.npy"},
                  {"a.csv", "b.npy"}, {}, false),
          command("figures", {"export", "t5_bucket", "--set", "q_length=16", "--out", "a.png", "b.svg", "c.pdf"},
                  {"a.png", "b.svg", "c.pdf"}),
          command("run",
                  {"run", "vq_attention", "--array", "q=q.npy", "--array", "k=k.npy", "--array", "v=v.npy", "--array",
                   "codebook=codebook.npy", "--out", "o.npy", "r.json"},
                  {"o.npy", "r.json"}, tensors()),
          {"session", {VQSCOPE_FAULT_WRITER, "session", "last.vqscope"}, {"last.vqscope"}},
          {"layout", {VQSCOPE_FAULT_WRITER, "layout", "layout.json"}, {"layout.json"}}};
}

/// Commands that write to standard output alone: nothing but memory can fail them.
std::vector<Target> reading_targets() {
  return {command("list", {"list"}), command("list-json", {"list", "--json"}),
          command("row", {"row", "3", "--set", "q_length=8"}), command("check", {"check", "--set", "q_length=8"}),
          command("config", {"config", "llama-3.1-8b.json"}, {},
                  {VQSCOPE_TEST_DATA "/../../resources/configs/llama-3.1-8b.json"})};
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      options.only = "own";
      options.own.command.assign(argv + i + 1, argv + argc);
      return options;
    }
    if (i + 1 == argc) return std::nullopt;
    const std::string value = argv[++i];
    if (word == "--target")
      options.only = value;
    else if (word == "--kills")
      options.kills = std::atoi(value.c_str());
    else if (word == "--allocations")
      options.allocations = std::atoi(value.c_str());
    else if (word == "--seed")
      options.seed = static_cast<unsigned>(std::atol(value.c_str()));
    else if (word == "--folder")
      options.folder = value;
    else if (word == "--writes")
      options.own.files.push_back(value);
    else
      return std::nullopt;
  }
  return options;
}

void try_target(const Target& target, const Options& options, bool writes, Tally& all) {
  if (!options.only.empty() && options.only != target.name) return;
  Tally tally;
  Trial trial(target, options, tally);
  if (trial.begin()) {
    if (writes) {
      trial.fail_each_call();
      trial.kill_at_each_call();
      trial.kill_at_random();
    }
    trial.fail_allocations();
    trial.limit_memory();
  }
  std::printf("%s: %d faults, %d kills, %d failures\n", target.name.c_str(), tally.faults, tally.kills, tally.failures);
  std::fflush(stdout);
  all.faults += tally.faults;
  all.kills += tally.kills;
  all.failures += tally.failures;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse(argc, argv);
  if (!options)
    return std::puts(
               "faults [--target NAME] [--kills N] [--allocations N] [--seed N] [--folder DIR] "
               "[--writes FILE... -- COMMAND...]"),
           2;
  Tally all;
  for (const auto& target : writing_targets()) try_target(target, *options, true, all);
  for (const auto& target : reading_targets()) try_target(target, *options, false, all);
  if (!options->own.command.empty()) try_target(options->own, *options, true, all);
  fs::remove_all(options->folder);
  std::printf("all: %d faults, %d kills, %d failures\n", all.faults, all.kills, all.failures);
  return all.failures == 0 ? 0 : 1;
}
