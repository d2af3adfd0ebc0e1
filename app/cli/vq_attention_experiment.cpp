// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/vq_attention_experiment.h"

#include "app/cli/output/progress_line.h"
#include "app/cli/output/vq_attention_report.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/machine.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/npy/npy_writer.h"
#include "widgets/export/exporter.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

const std::vector<std::string> arrayNames{"q", "k", "v", "codebook", "gate", "key_valid"};

bool isReport(const QString& path) { return QFileInfo(path).suffix().toLower() == "json"; }

Result<void> checkOutputs(const QStringList& paths) {
  for (const auto& path : paths)
    if (!isReport(path) && QFileInfo(path).suffix().toLower() != "npy")
      return invalid("cannot tell a format from " + shownPath(path) + ", must end with .npy or .json");
  return {};
}

using StoredTensors = std::map<std::string, StoredTensor>;

Result<StoredTensors> findTensors(const RunArguments& arguments) {
  for (const auto& array : arguments.arrays)
    if (std::ranges::count(arrayNames, array.name) == 0)
      return invalid("unknown array " + shortened(array.name) + " of vq_attention, must be one of " +
                     join(arrayNames, ", ") + did_you_mean(array.name, arrayNames));
  StoredTensors found;
  for (const auto& array : arguments.arrays) {
    const auto name = parse_tensor_name(array.value);
    if (!name) return invalid("--array " + array.name + ": " + name.error().message);
    auto file = open_file(name->file);
    if (!file) return file.error();
    auto tensor =
        find_tensor(std::move(*file), *name, array.name == "key_valid" ? TensorUse::flags : TensorUse::numbers);
    if (!tensor) return tensor.error();
    found.emplace(array.name, std::move(*tensor));
  }
  for (const char* name : {"q", "k", "v"})
    if (!found.contains(name))
      return invalid("array " + std::string(name) + " is missing, vq_attention needs --array " + name + "=FILE");
  return found;
}

Result<void> checkMemory(const StoredTensors& tensors, double memory) {
  double needed = 0;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    double numbers = 1;
    for (const Index size : tensor.shape) numbers *= static_cast<double>(size);
    needed += 4 * numbers;
    names.push_back(name);
  }
  if (memory <= 0 || needed <= memory) return {};
  return Error{Errc::too_large, "the arrays " + join(names, ", ") + " need " + byte_count(needed) +
                                    " of memory as float32, this machine has " + byte_count(memory)};
}

/// Says which file an array came from, for every array that the sentence is about: "k has nan at ... (k: k.npy)".
Error withFiles(const Error& error, const RunArguments& arguments) {
  std::string files;
  const std::string sentence = " " + error.message;
  for (const auto& array : arguments.arrays)
    if (sentence.find(" " + array.name + " is ") != std::string::npos ||
        sentence.find(" " + array.name + " has ") != std::string::npos)
      files += (files.empty() ? "" : ", ") + array.name + ": " + array.value;
  return files.empty() ? error : Error{error.code, error.message + " (" + files + ")"};
}

/// The steps one after the other, each with its share of the progress line and its time.
class Steps {
 public:
  Steps(ProgressLine& line, std::stop_token stop) : m_line(line), m_stop(std::move(stop)) {}

  /// What `step` gives, which takes a Work.
  template <class Step>
  auto run(const char* name, double share, const Step& step) {
    QElapsedTimer clock;
    clock.start();
    auto done = step(Work{[&](double part) { m_line.show(m_before + part * share); }, m_stop});
    m_before += share;
    m_seconds.emplace_back(name, static_cast<double>(clock.nsecsElapsed()) * 1e-9);
    return done;
  }

  const std::vector<std::pair<const char*, double>>& seconds() const { return m_seconds; }

 private:
  ProgressLine& m_line;
  std::stop_token m_stop;
  double m_before = 0;
  std::vector<std::pair<const char*, double>> m_seconds;
};

Result<VqAttentionTensors> readTensors(const StoredTensors& stored, const Work& work) {
  VqAttentionTensors tensors;
  Tensor* const places[]{&tensors.q, &tensors.k, &tensors.v, &tensors.codebook, &tensors.gate, &tensors.key_valid};
  double read = 0;
  for (std::size_t i = 0; i < arrayNames.size(); ++i) {
    const auto found = stored.find(arrayNames[i]);
    if (found == stored.end()) continue;
    auto values = read_tensor(found->second, work.stop);
    if (!values) return values.error();
    *places[i] = {found->second.shape, std::move(*values)};
    work.report(++read / static_cast<double>(stored.size()));
  }
  return tensors;
}

Result<void> checkSize(const std::vector<Index>& shape, const RunArguments& arguments) {
  double bytes = sizeof(float);
  for (const Index size : shape) bytes *= static_cast<double>(size);
  const auto large = std::ranges::find_if(arguments.outputs, [](const QString& path) { return !isReport(path); });
  if (large == arguments.outputs.end() || bytes <= maxExportBytes || arguments.force) return {};
  return Error{Errc::too_large, shownPath(*large) + " would have about " + byte_count(bytes) +
                                    ", more than the limit of " + byte_count(maxExportBytes) +
                                    "; --force writes it anyway"};
}

struct Computed {
  AttentionOutput output;
  VqAttentionReport report;
};

Result<Computed> compute(const RunArguments& arguments, const ParameterValues& values, const StoredTensors& stored,
                         Steps& steps) {
  auto tensors = steps.run("read", 0.1, [&](const Work& work) { return readTensors(stored, work); });
  if (!tensors) return tensors.error();
  auto run = steps.run("check", 0.05, [&](const Work& work) {
    return VqAttentionRun::make(std::move(*tensors), values, this_machine().memory, work);
  });
  if (!run) return withFiles(run.error(), arguments);
  if (auto fits = checkSize(run->output_shape(), arguments); !fits) return fits.error();
  if (run->needs_codebook())
    if (auto done = steps.run("learn", 0.3, [&](const Work& work) { return run->learn(work); }); !done)
      return done.error();
  auto output = steps.run("attention", 0.3, [&](const Work& work) { return run->attend(work); });
  if (!output) return withFiles(output.error(), arguments);
  VqAttentionReport report{.values = values,
                           .tensors = stored,
                           .shape = run->output_shape(),
                           .kernels = output->kernels,
                           .threads = run->threads(),
                           .padded = output->padded,
                           .codes_used = run->codes_used(*output)};
  if (const auto hypothesis = run->hypothesis()) report.hypothesis = hypothesis->sentence;
  if (!report.codes_used.empty()) report.codewords = values.integer("n_code");
  if (values.boolean("compare")) {
    const auto apart = steps.run("exact", 0.2, [&](const Work& work) { return run->compare(*output, work); });
    if (!apart) return apart.error();
    report.difference = *apart;
  }
  report.seconds = steps.seconds();
  return Computed{std::move(*output), std::move(report)};
}

Result<void> write(const Computed& computed, const QStringList& paths, const WholeFiles& files,
                   const std::stop_token& stop) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto written = isReport(paths[static_cast<qsizetype>(i)])
                       ? files[i]->write(reportAsJson(computed.report))
                       : write_npy(computed.report.shape, computed.output.values, *files[i], {{}, stop});
    if (written) written = files[i]->flush();
    if (!written) return written;
  }
  if (stop.stop_requested()) return cancelled();
  return commit(files);
}

/// Made before the files appear: from then on nothing may fail.
std::vector<std::string> remarksOf(const VqAttentionReport& report, Index block_len) {
  std::vector<std::string> all;
  if (!report.hypothesis.empty()) all.push_back("with block_len " + to_text(block_len) + ", " + report.hypothesis);
  if (report.padded > 0)
    all.push_back("block_len " + to_text(block_len) + " does not divide " + to_text(report.shape.end()[-2]) +
                  " tokens: the last block is padded by " + to_text(report.padded));
  return all;
}

/// A codebook that is given says how many codewords there are, unless the arguments do.
void takeCodewords(const RunArguments& arguments, const StoredTensors& tensors, ParameterValues& values) {
  const auto codebook = tensors.find("codebook");
  const bool stated = std::ranges::count(arguments.settings, "n_code", &Setting::name) > 0;
  if (stated || codebook == tensors.end() || codebook->second.shape.size() < 2) return;
  values.set("n_code", codebook->second.shape.end()[-2]);
}

}  // namespace

Result<void> runVqAttention(const RunArguments& arguments) {
  if (auto checked = checkOutputs(arguments.outputs); !checked) return checked;
  auto values = runValues(arguments, vq_attention_parameters());
  if (!values) return values.error();
  const auto stored = findTensors(arguments);
  if (!stored) return stored.error();
  if (auto checked = checkMemory(*stored, this_machine().memory); !checked) return checked;
  takeCodewords(arguments, *stored, *values);
  Interrupts interrupts;
  // Before the work: a path that cannot be written is told at once.
  WholeFiles files;
  for (const auto& path : arguments.outputs) {
    auto file = WholeFile::open(bytesOf(path));
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  ProgressLine line;
  Steps steps(line, interrupts.token());
  const auto computed = compute(arguments, *values, *stored, steps);
  if (!computed) return computed.error();
  const auto remarks = remarksOf(computed->report, values->integer("block_len"));
  auto written = write(*computed, arguments.outputs, files, interrupts.token());
  if (written)
    for (const auto& remark : remarks) note(remark);
  return written;
}

}  // namespace vqscope
