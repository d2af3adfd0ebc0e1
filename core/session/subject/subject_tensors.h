// SPDX-License-Identifier: GPL-3.0-or-later
// The files of q, k and v that all pages share.
#pragma once

#include "core/method/method.h"
#include "core/session/notes.h"
#include "core/session/subject/subject.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// `q_tensor`, `k_tensor`, `v_tensor`.
std::span<const std::string> tensor_names();

/// Whether the subject names queries and keys.
bool has_tensors(const Subject& subject);

/// Whether the data of a method that takes tensors are tensors that its values name.
bool shows_tensors(const ParameterValues& values);

/// Whether RoPE has rotated them already: they are called q_rot and k_rot, or an attention function was
/// given them.
bool are_rotated_tensors(const Subject& subject);

/// The paths of the files of tensors that the values of a page name and use, each once.
std::vector<std::string> tensor_files(const ParameterValues& values);

/// Why one of the tensors that the values name in this file cannot be read. Opens the file, but reads
/// no numbers.
Result<void> check_tensor_file(const ParameterValues& values, const std::string& file);

/// The value that a parameter of `method` takes from the subject's tensors where nothing has set it:
/// `data` or `vectors`, what follows from the tensors, such as lengths and `normalize`, and the RoPE of the model,
/// which rotates them unless they are rotated already. Nothing without tensors, if the method takes none, or
/// for the data of a method that would rotate rotated ones once more.
std::optional<ParameterValue> value_of_tensors(const Method& method, const ParameterSpec& spec, const Subject& subject);

/// The subject with other tensors, `values`; `q_length` is their length.
Subject with_tensors(Subject subject, const ParameterValues& values);

/// A page's own values without those that would keep other tensors or data, or that are longer than
/// the subject's tensors.
ParameterValues own_beside_tensors(const ParameterValues& own, const Subject& subject);

/// What identifies the file of a tensor. Nothing if the file cannot be read.
std::optional<TensorRecord> record_of(const std::string& tensor);

/// Records of the tensors that differ from those of `before`; the others stay.
void record_tensors(const Subject& before, Subject& subject);

/// Compares the records with the files, notes what has changed or is missing since, one sentence a
/// file, and takes over what the files are now.
void check_records(Subject& subject, Notes& notes);

}  // namespace vqscope
