# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m vqscope` and the command of the wheel: the program itself, with these arguments."""

import os
import sys

from .errors import MissingProgram
from .program import BUNDLED, find_program


def main():
    try:
        # As the command of the wheel this script is what PATH finds.
        program = BUNDLED if os.access(BUNDLED, os.X_OK) else find_program()
        os.execv(program, [program, *sys.argv[1:]])
    except (MissingProgram, OSError) as error:
        print(f"vqscope: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
