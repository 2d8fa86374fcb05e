"""A folder that stands for an operator's machine: the commands of a page run in it as they are written.

The paths of the page lie under the folder. `sudo`, `systemctl` and what installs packages are short scripts; systemd's
part is played by `systemctl.py`, which reads the real units. The commands of punto are real.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.house import free_port
from tests.docs.pages import PAGES
from tests.e2e.command import ROOT

OURS = ("/opt/punto", "/var/lib/punto", "/etc/punto", "/etc/systemd/system")
DONE = "#!/bin/sh\nexit 0\n"
SUDO = '#!/bin/bash\n[ "$1" = -u ] && shift 2\nexec "$@"\n'
PYTHON = """#!/bin/bash
[ "$2" = venv ] || exec {python} "$@"
mkdir -p "$3/bin"
printf '#!/bin/sh\\nexec {python} -m punto "$@"\\n' > "$3/bin/punto"
printf '#!/bin/sh\\nexit 0\\n' > "$3/bin/pip"
chmod +x "$3/bin/"*
"""


def sections(page: str, *names: str) -> list[str]:
    """The `sh` blocks of the named sections of a page, in order."""
    found = []
    for name in names:
        text = re.split(r"^#{2,3} ", PAGES[page].partition(f"# {name}\n")[2], flags=re.MULTILINE)[0]
        assert text, f"{page} has no section {name}"
        found += re.findall(r"^ *```sh\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return found


class Machine:
    """An operator's machine with a checkout, and nothing else on it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        shutil.copytree(ROOT / "examples", folder / "checkout" / "examples")
        for file in (folder / "checkout" / "examples" / "deploy").iterdir():
            file.write_text(self.placed(file.read_text()))
        (folder / "etc" / "systemd" / "system").mkdir(parents=True)
        shims = folder / "bin"
        shims.mkdir()
        systemctl = f'#!/bin/sh\nexec {sys.executable} {ROOT}/tests/docs/systemctl.py {folder} "$@"\n'
        scripts = {"sudo": SUDO, "python3": PYTHON.format(python=sys.executable), "systemctl": systemctl}
        for name, script in {"useradd": DONE, **scripts}.items():
            (shims / name).write_text(script)
            (shims / name).chmod(0o755)
        paths = f"{shims}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": paths, "PUNTO_SERVER_PORT": str(self.port)}

    def placed(self, text: str) -> str:
        """A text with the paths and the port of this machine."""
        for path in OURS:
            text = re.sub(rf"(?<![\w.]){path}(?=[\w/.@\s\"'*-]|$)", f"{self.folder}{path}", text)
        return text.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")

    def run(self, *scripts: str) -> str:
        """Run scripts in the checkout, each line of which must succeed; what they wrote."""
        script = "set -eu\n" + self.placed("\n".join(scripts))
        command, checkout = ["bash", "-c", script], self.folder / "checkout"
        done = subprocess.run(command, cwd=checkout, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{script}\n{done.stdout}"
        return done.stdout

    def close(self) -> None:
        """End what still runs."""
        for unit in (self.folder / "run").glob("*.pid"):
            self.run(f"systemctl stop {unit.stem}")
