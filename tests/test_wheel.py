"""The wheel: pure Python, all packages typed, and nothing that belongs to the repository only."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"spit_env", "spit_agents", "spit_train"}


def test_the_wheel_holds_the_typed_packages_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr

    (wheel,) = tmp_path.iterdir()
    assert wheel.name.startswith("spit_env-")
    assert wheel.name.endswith("-py3-none-any.whl")

    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES
    for package in PACKAGES:
        assert {f"{package}/__init__.py", f"{package}/py.typed"} <= set(names)
    assert "spit_env/levels.json" in names
