// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutate/worker.h"

#include "core/base/text.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <thread>

namespace vqscope::mutate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto longest_wait = std::chrono::seconds(20);
constexpr int most_failures = 50;
constexpr std::size_t longest_sentence = 400;

/// Report of a worker to its parent, which reads it after a crash too.
struct Slot {
  std::atomic<std::uint64_t> index = 0;  ///< of the input that is being read
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint64_t> memory = 0;
  std::atomic<std::uint64_t> slowest = 0;  ///< microseconds
  std::atomic<int> failures = 0;
  std::atomic<bool> finished = false;
};

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t held_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Empty: a sentence for a person.
std::string check(std::string_view sentence) {
  std::size_t characters = 0;
  const std::string_view whole = sentence;
  while (!sentence.empty()) {
    const std::size_t bytes = utf8_sequence(sentence);
    const auto first = static_cast<unsigned char>(sentence.front());
    if (bytes == 0) return "a sentence that is not UTF-8";
    if ((first < 0x20 && first != '\t') || first == 0x7f) return "a control character in a sentence";
    sentence.remove_prefix(bytes);
    ++characters;
  }
  if (characters <= longest_sentence) return {};
  return "a sentence of " + std::to_string(characters) + " characters: " + std::string(whole.substr(0, 200));
}

std::string read_input(const Reader& reader, const Bytes& bytes) {
  try {
    for (const auto& sentence : reader.read(bytes))
      if (auto wrong = check(sentence); !wrong.empty()) return wrong;
  } catch (const std::exception& error) {
    return std::string("an exception: ") + error.what();
  }
  return {};
}

/// To the standard error that the parent has, whatever the reader made of the worker's.
class Reporter {
 public:
  Reporter(const Reader& reader, const Run& run) : m_reader(reader), m_run(run), m_log(::dup(STDERR_FILENO)) {}
  ~Reporter() { ::close(m_log); }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  void report(std::uint64_t index, const std::string& why) const {
    const std::string place =
        m_run.folder + "/" + m_reader.name + "-" + std::to_string(m_run.seed) + "-" + std::to_string(index);
    const Bytes bytes = input_of(m_reader, m_run.seed, index);
    std::ofstream(place, std::ios::binary) << bytes;
    const std::string line = "FAILED " + m_reader.name + ": " + why + "\n  again: mutate --reader " + m_reader.name +
                             " --seed " + std::to_string(m_run.seed) + " --only " + std::to_string(index) +
                             "   (input: " + place + ")\n";
    if (::write(m_log, line.data(), line.size()) < 0) std::abort();
  }

 private:
  const Reader& m_reader;
  const Run& m_run;
  int m_log;
};

void work(const Reader& reader, const Run& run, unsigned job, Slot& slot) {
  const Reporter reporter(reader, run);
  const std::string folder = run.folder + "/work-" + std::to_string(job) + "-" + std::to_string(::getpid());
  if (::mkdir(folder.c_str(), 0700) != 0 || ::chdir(folder.c_str()) != 0) std::_Exit(3);
  for (std::uint64_t index = slot.index; index < run.first + run.count; index += run.jobs) {
    slot.index = index;
    const Bytes bytes = input_of(reader, run.seed, index);
    const double start = processor_seconds();
    std::string wrong = read_input(reader, bytes);
    const double seconds = processor_seconds() - start;
    slot.slowest = std::max(slot.slowest.load(), static_cast<std::uint64_t>(seconds * 1e6));
    const std::uint64_t before = slot.memory;
    slot.memory = std::max(before, held_memory());
    if (seconds > reader.limits.seconds) wrong = "it took " + std::to_string(seconds) + " s";
    if (slot.memory > reader.limits.memory && before <= reader.limits.memory)
      wrong = "it took " + std::to_string(slot.memory >> 20) + " MiB";
    ++slot.done;
    if (wrong.empty()) continue;
    ++slot.failures;
    reporter.report(index, wrong);
    if (slot.failures >= most_failures) break;
  }
  slot.finished = true;
  if (::chdir("..") == 0) ::rmdir(folder.c_str());
  std::_Exit(0);
}

pid_t started(const Reader& reader, const Run& run, unsigned job, Slot& slot) {
  const pid_t child = ::fork();
  if (child == 0) work(reader, run, job, slot);
  return child;
}

/// Follows one worker, and starts it again behind an input that ended it.
class Watch {
 public:
  Watch(const Reader& reader, const Run& run, unsigned job, Slot& slot)
      : m_reader(reader), m_run(run), m_job(job), m_slot(slot) {
    m_slot.index = run.first + job;
    m_child = started(reader, run, job, slot);
  }

  /// false: it is over.
  bool poll(bool stop) {
    if (m_child < 0) return false;
    int status = 0;
    if (::waitpid(m_child, &status, WNOHANG) == m_child)
      return m_slot.finished ? (m_child = -1, false) : fail(ended(status));
    if (stop) return end(), m_child = -1, false;
    const auto now = Clock::now();
    if (m_slot.done != m_seen) {
      m_seen = m_slot.done;
      m_since = now;
    }
    if (now - m_since < longest_wait) return true;
    end();
    return fail("it does not end");
  }

 private:
  static std::string ended(int status) {
    if (WIFSIGNALED(status)) return std::string("signal ") + ::strsignal(WTERMSIG(status));
    return "it ended the process, status " + std::to_string(WEXITSTATUS(status));
  }
  void end() {
    ::kill(m_child, SIGKILL);
    ::waitpid(m_child, nullptr, 0);
  }
  bool fail(const std::string& why) {
    const std::uint64_t index = m_slot.index;
    Reporter(m_reader, m_run).report(index, why);
    m_since = Clock::now();
    ++m_slot.done;
    m_slot.index = index + m_run.jobs;
    if (++m_slot.failures >= most_failures) return m_child = -1, false;
    m_child = started(m_reader, m_run, m_job, m_slot);
    return true;
  }

  const Reader& m_reader;
  const Run& m_run;
  unsigned m_job;
  Slot& m_slot;
  pid_t m_child = -1;
  std::uint64_t m_seen = 0;
  Clock::time_point m_since = Clock::now();
};

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

Bytes input_of(const Reader& reader, std::uint64_t seed, std::uint64_t index) {
  SeededRandom random(hash_of(reader.name) ^ seed * 0x9e3779b97f4a7c15U);
  SeededRandom own(random.bits() + index * 0xd1342543de82ef95U);
  Bytes bytes = mutated(reader.corpus, own);
  if (reader.mend && below(own, 2) == 0) reader.mend(bytes);
  return bytes;
}

Tally run(const Reader& reader, const Run& run) {
  const std::size_t bytes = run.jobs * sizeof(Slot);
  void* const shared = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) std::abort();
  auto* const slots = new (shared) Slot[run.jobs];
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::vector<Watch> watches;
  for (unsigned job = 0; job < run.jobs; ++job) watches.emplace_back(reader, run, job, slots[job]);
  for (bool any = true; any;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    any = false;
    for (auto& watch : watches) any = watch.poll(run.seconds > 0 && elapsed() > run.seconds) || any;
  }
  Tally tally{.seconds = elapsed()};
  for (unsigned job = 0; job < run.jobs; ++job) {
    tally.inputs += slots[job].done;
    tally.failures += slots[job].failures;
    tally.slowest = std::max(tally.slowest, static_cast<double>(slots[job].slowest) * 1e-6);
    tally.memory = std::max<std::uint64_t>(tally.memory, slots[job].memory);
  }
  ::munmap(shared, bytes);
  return tally;
}

}  // namespace vqscope::mutate
