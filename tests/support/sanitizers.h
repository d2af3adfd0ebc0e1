// SPDX-License-Identifier: GPL-3.0-or-later
// VQSCOPE_ADDRESS_SANITIZED and VQSCOPE_THREAD_SANITIZED: 1 where this is compiled with the sanitizer, else 0. GCC
// defines a macro of its own for each, clang calls it a feature.
#pragma once

#if defined(__has_feature)
#define VQSCOPE_HAS_FEATURE(name) __has_feature(name)
#else
#define VQSCOPE_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || VQSCOPE_HAS_FEATURE(address_sanitizer)
#define VQSCOPE_ADDRESS_SANITIZED 1
#else
#define VQSCOPE_ADDRESS_SANITIZED 0
#endif

#if defined(__SANITIZE_THREAD__) || VQSCOPE_HAS_FEATURE(thread_sanitizer)
#define VQSCOPE_THREAD_SANITIZED 1
#else
#define VQSCOPE_THREAD_SANITIZED 0
#endif
