"""README's transcript is what the program prints."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_transcript_is_what_the_program_prints(tmp_path: Path) -> None:
    text = README.read_text("utf-8")
    (sheet,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    (tmp_path / "answers.toml").write_text(sheet, "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "tutor", "check", str(tmp_path / "answers.toml")],
        cwd=README.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout.strip() == printed.strip()
