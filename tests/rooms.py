#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the modules of the source tree against their order. Fails with one line for each thing that is wrong.

  rooms.py [FOLDER]     the tree in FOLDER, by default the one that this file is in
  rooms.py --self-test  a small tree with one mistake of every kind

The order is that of the vqscope_module(NAME DEPENDS ...) calls in core, widgets and app: a module depends on modules above it.
The modules after a vqscope_part(NAME DEPENDS ...) belong to that part, and depend on modules of it and of the parts it names.
A file of a module includes its own module, and those that its module names after DEPENDS; whoever includes what it names
alone gets nothing by accident. A test includes what its binary links: its module, and all that this depends on. Beside
that: no circles of modules, none of files (x.h and x.cpp are one), no folder of more than 25 files, no header that nobody
but its own source includes, or that its own source does not include first, no two types of one name, and no class whose
functions are defined in more than two .cpp files, and no two tests of a module with helpers of one name."""
import collections
import os
import re
import statistics
import sys
import tempfile

PARENTS = ("core", "widgets", "app")
MOST_FILES = 25
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
CALL = re.compile(r"^vqscope_(?:qt_)?module\((\w+)([^)]*)\)", re.M)
PART_CALL = re.compile(r"^vqscope_part\((\w+)([^)]*)\)|^vqscope_(?:qt_)?module\((\w+)", re.M)
MOST_SOURCES = 2  # of one class
# A member function that is defined outside of its class, and a class that is defined in the file
# itself.
MEMBER = re.compile(r"^(?!using|\s|#|//)[^(\n]*?\b([A-Z]\w*)(?:<[\w, ]*>)?::(?:~?\w+|operator\S+) ?\(", re.M)
OWN_CLASS = re.compile(r"^ *(?:class|struct) (\w+)[^;()]*{", re.M)
# A function outside of classes.
FUNCTION = re.compile(r"^(?!using|\s|#|//)[\w:<>,&* ]*[ &*>]([a-z_]\w*)\([^;{}]*\) \{", re.M)
KEYWORDS = ("DEPENDS", "LINKS", "PRIVATE_LINKS")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(root):
    """Every .h and .cpp below PARENTS and tests, as a path from the root, and what it includes with quotation marks."""
    found = {}
    for top in (*PARENTS, "tests"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".h", ".cpp")):
                    path = os.path.join(folder, name)
                    found[os.path.relpath(path, root)] = INCLUDE.findall(read(path))
    return dict(sorted(found.items()))


def depends(root):
    """The modules that each module names after DEPENDS, in the order of the modules."""
    modules = {}
    for parent in PARENTS:
        path = os.path.join(root, parent, "CMakeLists.txt")
        for name, arguments in CALL.findall(read(path) if os.path.exists(path) else ""):
            words, keyword = [], None
            for word in arguments.split():
                if word in KEYWORDS:
                    keyword = word
                elif keyword == "DEPENDS":
                    words.append(word if "/" in word else f"{parent}/{word}")
            modules[f"{parent}/{name}"] = words
    return modules


def parts(root):
    """The parts that each part names after DEPENDS, itself among them, and the part of each module."""
    named, part_of = {}, {}
    for parent in PARENTS:
        path = os.path.join(root, parent, "CMakeLists.txt")
        part = None
        for name, arguments, module in PART_CALL.findall(read(path) if os.path.exists(path) else ""):
            if module:
                part_of[f"{parent}/{module}"] = part
            else:
                part = name
                named.setdefault(name, {name, *arguments.split()[1:]})
    return named, part_of


def module_of(path):
    return "/".join(path.removeprefix("tests/").split("/")[:2])


def unit_of(path):
    return os.path.splitext(path)[0]


def closure(modules, module):
    """The module and all that its binary links."""
    seen, todo = set(), [module]
    while todo:
        each = todo.pop()
        if each not in seen:
            seen.add(each)
            todo += modules.get(each, [])
    return seen


def circles(edges):
    """Groups of nodes that each reach all others of their group."""
    reach = {}
    for node in edges:
        seen, todo = set(), list(edges[node])
        while todo:
            each = todo.pop()
            if each not in seen:
                seen.add(each)
                todo += edges.get(each, ())
        reach[node] = seen
    groups = {tuple(sorted([n for n in reach[node] if node in reach.get(n, ())])) for node in edges if node in reach[node]}
    return sorted(groups)


def wrong_modules(modules):
    above = set()
    for module, names in modules.items():
        for name in names:
            if name not in modules:
                yield f"{module}: depends on {name}, which is no module"
            elif name not in above:
                yield f"{module}: depends on {name}, which does not stand above it"
        above.add(module)
    for group in circles({module: set(names) for module, names in modules.items()}):
        yield f"circle of modules: {' '.join(group)}"


def wrong_parts(modules, named, part_of):
    """Modules of no part, and those that depend on a module of a part that theirs can do without."""
    for module, names in modules.items():
        part = part_of[module]
        if part is None:
            yield f"{module}: is in no part"
            continue
        for name in names:
            if part_of.get(name) and part_of[name] not in named[part]:
                yield f"{module}: depends on {name}, but {part} does not depend on {part_of[name]}"


def wrong_includes(files, modules):
    """Files of modules, which may include what their module names."""
    used = collections.defaultdict(set)
    for path, names in files.items():
        module = module_of(path)
        if path.startswith("tests/") or path.count("/") < 2:
            continue  # a file beside the modules joins them: main.cpp
        if module not in modules:
            yield f"{path}: is in no module"
            continue
        for name in names:
            other = module_of(name)
            if name.split("/")[0] not in PARENTS or other == module:
                continue
            used[module].add(other)
            if other not in modules[module]:
                yield f"{path}: includes {name}, but {module} does not depend on {other}"
    for module, names in modules.items():
        for name in names:
            if name not in used[module]:
                yield f"{module}: depends on {name} and includes nothing of it"


def wrong_tests(files, modules):
    """Tests, which may include what their binary links, through headers of tests too."""
    for path in files:
        module = module_of(path)
        if not path.endswith(".cpp") or not path.startswith("tests/") or module not in modules:
            continue
        linked = closure(modules, module)
        seen, todo = {path}, [(path, name) for name in files[path]]
        while todo:
            by, name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            if name.split("/")[0] in PARENTS and module_of(name) not in linked:
                through = "" if by == path else f" (by {by})"
                yield f"{path}: includes {name}{through}, but {module} does not link {module_of(name)}"
            if name.startswith("tests/"):
                todo += [(name, each) for each in files.get(name, ())]


def circles_of_files(files):
    """Units that include each other, through others too; x.h and x.cpp are one."""
    edges = collections.defaultdict(set)
    for path, names in files.items():
        if not path.startswith("tests/"):
            edges[unit_of(path)] |= {unit_of(name) for name in names} - {unit_of(path)}
    return circles(edges)


def wrong_units(files):
    """Circles of files, headers that nobody includes, and those that their own source includes too late to tell that
    they can stand alone."""
    for group in circles_of_files(files):
        yield f"circle of files: {' '.join(group)}"
    users = {name for path, names in files.items() for name in names if unit_of(name) != unit_of(path)}
    for path, names in files.items():
        header = unit_of(path) + ".h"
        if path.startswith("tests/"):
            continue
        if path.endswith(".h") and path not in users:
            yield f"{path}: nobody but its own source includes it"
        if path.endswith(".cpp") and header in files and names[:1] != [header]:
            yield f"{path}: does not include {header} first"


DEFINITION = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: :[^;{]*)?\s*\{", re.MULTILINE)


def types_of(text):
    """Names of the types that a header defines in the namespace of all modules."""
    return set(DEFINITION.findall(text)) if re.search(r"^namespace vqscope \{", text, re.MULTILINE) else set()


def wrong_names(root, files):
    """Two types of one name are one type to the linker, which keeps the functions of one of them."""
    places = collections.defaultdict(list)
    for path in sorted(files):
        if path.endswith(".h") and not path.startswith("tests/"):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                for name in types_of(file.read()):
                    places[name].append(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{name}: is a type of {' and of '.join(paths)}"


def wrong_classes(root, files):
    """Classes that are too large for one source, and were spread over several instead of taken apart."""
    defined = collections.defaultdict(list)
    for path in files:
        if path.endswith(".cpp") and not path.startswith("tests/"):
            text = read(os.path.join(root, path))
            for name in sorted(set(MEMBER.findall(text)) - set(OWN_CLASS.findall(text))):
                defined[name].append(path)
    for name, paths in sorted(defined.items()):
        if len(paths) > MOST_SOURCES:
            yield f"{name}: is defined in {len(paths)} sources, must be at most {MOST_SOURCES}: {' '.join(paths)}"


def wrong_helpers(root, files):
    """Functions of one name in two tests of a module. The tests of a module are compiled many at a time: where both are seen,
    a call takes the one that fits better, whichever was meant."""
    places = collections.defaultdict(set)
    for path in files:
        if path.endswith(".cpp") and path.startswith("tests/") and path.split("/")[1] in PARENTS:
            for name in FUNCTION.findall(read(os.path.join(root, path))):
                places[module_of(path), name].add(path)
    for (_, name), paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{name}: is a function of {' and of '.join(sorted(paths))}"


def folder_sizes(files):
    return collections.Counter(os.path.dirname(path) for path in files)


def mistakes(root):
    files, modules = sources(root), depends(root)
    yield from wrong_modules(modules)
    yield from wrong_parts(modules, *parts(root))
    yield from wrong_includes(files, modules)
    yield from wrong_tests(files, modules)
    yield from wrong_units(files)
    yield from wrong_names(root, files)
    yield from wrong_classes(root, files)
    yield from wrong_helpers(root, files)
    for folder, count in sorted(folder_sizes(files).items()):
        if count > MOST_FILES:
            yield f"{folder}: has {count} files, must be at most {MOST_FILES}"


def self_test():
    tree = {
        "core/CMakeLists.txt": "vqscope_module(base LINKS a)\nvqscope_part(masks)\nvqscope_module(io DEPENDS base below)\n"
                               "vqscope_module(mask\n  DEPENDS base io LINKS zlib)\nvqscope_part(lab DEPENDS masks)\n"
                               "vqscope_module(below DEPENDS io)\n",
        "app/CMakeLists.txt": "vqscope_part(lab)\nvqscope_module(runs DEPENDS core/io)\n",
        "app/runs/run.cpp": '#include "core/io/file.h"\n',
        "core/base/text.h": "",
        "core/base/text.cpp": '#include "core/base/text.h"\n#include "core/mask/mask.h"\n',
        "core/io/file.h": '#include "core/base/text.h"\n#include "core/io/zip/zip.h"\n#include "core/below/x.h"\n',
        "core/io/zip/zip.h": "",
        "core/io/zip/zip.cpp": '#include "core/io/file.h"\n#include "core/io/zip/zip.h"\n',
        "core/mask/mask.h": '#include "core/io/file.h"\nnamespace vqscope {\nstruct View {\n};\nclass Mask;\n}\n',
        "core/mask/own.h": 'namespace vqscope::mine {\nclass View {\n};\n}\n',
        "core/mask/own.cpp": '#include "core/mask/own.h"\n',
        "core/mask/mask.cpp": '#include "core/mask/mask.h"\n#include "core/mask/own.h"\n',
        "core/below/x.h": '#include "core/io/file.h"\nnamespace vqscope {\nclass View final : Base {\n};\n}\n',
        "core/below/one.h": '#include "core/below/two.h"\n',
        "core/below/two.h": '#include "core/below/one.h"\n',
        "core/below/alone.h": "",
        "core/below/alone.cpp": '#include "core/below/alone.h"\n',
        "core/lost/y.cpp": "",
        "tests/core/mask/cases.h": '#include "core/below/x.h"\n',
        "tests/core/base/text_test.cpp": '#include "core/base/text.h"\n#include "tests/core/mask/cases.h"\n'
                                         "std::string text_of(const Text& text) {\n}\nclass A {\n  int f() { return g(); }\n};\n",
        "tests/core/base/more_test.cpp": "Text* text_of(int n,\n              int m) {\n}\nclass B {\n  int f() { return 1; }\n};\n",
        "tests/core/io/text_test.cpp": "Text text_of() {\n}\n",
        **{f"core/mask/many/{i}.cpp": "" for i in range(MOST_FILES + 1)},
        # Wide is spread over three sources, Two over two, and each Local is a class of its own.
        "core/io/wide.cpp": "Wide::Wide() {}\nint Two::a() { return Wide::least(); }\n"
                            "class Local {\n  void f();\n};\nvoid Local::f() {}\n",
        "core/io/wide_read.cpp": "const Part& Wide::read(int x) {\n}\nWide::~Wide() {}\nint Two::b() {\n  return 2;\n}\n",
        "core/mask/wide_draw.cpp": "std::vector<int> Wide::draw() const {}\nclass Local : Base {\n};\nvoid Local::f() {}\n",
        "core/mask/user.cpp": "void use() {\n  Wide::least();\n}\nint more() { return Two::least(); }\n"
                              "class Local final {\n};\nLocal::Local() {}\n",
    }
    wanted = [
        "core/io: depends on core/below, which does not stand above it",
        "circle of modules: core/below core/io",
        "core/base: is in no part",
        "core/io: depends on core/below, but masks does not depend on lab",
        "core/base/text.cpp: includes core/mask/mask.h, but core/base does not depend on core/mask",
        "core/lost/y.cpp: is in no module",
        "core/mask: depends on core/base and includes nothing of it",
        "tests/core/base/text_test.cpp: includes core/below/x.h (by tests/core/mask/cases.h), but core/base does not link "
        "core/below",
        "circle of files: core/base/text core/below/x core/io/file core/io/zip/zip core/mask/mask",
        "circle of files: core/below/one core/below/two",
        "core/below/alone.h: nobody but its own source includes it",
        "core/io/zip/zip.cpp: does not include core/io/zip/zip.h first",
        "View: is a type of core/below/x.h and of core/mask/mask.h",
        "Wide: is defined in 3 sources, must be at most 2: core/io/wide.cpp core/io/wide_read.cpp "
        "core/mask/wide_draw.cpp",
        "text_of: is a function of tests/core/base/more_test.cpp and of tests/core/base/text_test.cpp",
        f"core/mask/many: has {MOST_FILES + 1} files, must be at most {MOST_FILES}",
    ]
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        got = list(mistakes(root))
    for line in wanted:
        if line not in got:
            print(f"not found: {line}")
    for line in got:
        if line not in wanted:
            print(f"found without reason: {line}")
    return got == wanted


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found = list(mistakes(root))
    print("\n".join(found), end="\n" if found else "")
    files = sources(root)
    sizes = folder_sizes(files)
    largest = max(sizes, key=sizes.get)
    print(f"{len(depends(root))} modules, {len(found)} mistakes; {len(sizes)} folders, of {sizes[largest]} files at most "
          f"({largest}), {statistics.median(sizes.values()):g} in the middle")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
