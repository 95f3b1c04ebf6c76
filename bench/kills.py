"""Kills `backcheck run` at 200 random moments: the store stays readable, no told record is lost, no half one is accepted.

Run as `python -m bench.kills [COUNT]`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from backcheck.evidence.git import discover
from backcheck.evidence.records import read
from backcheck.evidence.vault import Vault, VaultError
from backcheck.ledger.location import open_ledger


def main() -> None:
    """Print what was found."""
    count, chance = int(sys.argv[1]) if len(sys.argv) > 1 else 200, random.Random(20261201)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for number in range(50):
            Path(folder, f"f{number}.txt").write_text(str(number))
        told, killed = [], 0
        for _ in range(count):
            process = subprocess.Popen(
                [sys.executable, "-m", "backcheck", "run", "--", "sh", "-c", "echo working; sleep 0.05"], cwd=folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                env={**os.environ, "XDG_CONFIG_HOME": f"{folder}/.config"},
            )  # fmt: skip
            try:
                said = process.communicate(timeout=chance.uniform(0.01, 0.7))[1]
            except subprocess.TimeoutExpired:
                killed += 1
                os.killpg(process.pid, signal.SIGKILL)
                said = process.communicate()[1]
            told += [line.split()[2].decode().rstrip(":") for line in said.splitlines() if b"recorded " in line]
        _report(folder, count, killed, told)


def _report(folder: str, count: int, killed: int, told: list[str]) -> None:
    repository = discover(Path(folder))
    if repository is None:
        raise SystemExit("no repository")
    ledger = open_ledger(repository, folder)
    problems = ledger.verify()
    entries = list(ledger.entries("run"))
    bad = [entry.id for entry in entries if read(entry.body).problem]
    lost = set(told) - {entry.id for entry in entries}
    vault, missing = Vault(Path(ledger.where).parent / "kept"), 0
    for entry in entries:
        record = read(entry.body).record
        try:
            if record is not None:
                vault.get(record.output.sha256)
                vault.get(record.manifest.sha256)
        except VaultError:
            missing += 1
    print(f"{count} runs, {killed} killed, {len(told)} told as recorded, {len(entries)} in the ledger")
    found = f"chain problems {len(problems)}, told but lost {len(lost)}, half or wrong records {len(bad)}"
    print(f"  {found}, contents missing {missing}")
    print("  bar: all four 0")


if __name__ == "__main__":
    main()
