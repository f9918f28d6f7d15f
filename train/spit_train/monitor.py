"""What a training run tells while it goes on: progress, metrics, and the periodic evaluation."""

import csv
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from stable_baselines3.common.callbacks import BaseCallback

from spit_env.latency import LEVELS, make_latency
from spit_train.config import SELF, TrainConfig
from spit_train.learner import Learner, policy_agent
from spit_train.levels import LevelScore, plot_curve, score_levels
from spit_train.selfplay import GameEnd, SelfPlay

EVALUATION_SEEDS = 1_000_000  # evaluation deals are not training deals


class Monitor(BaseCallback):
    """SB3 callback: progress bar, `spit/*` metrics, `curve.csv` and `curve.png` in the run's folder, time limit."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        super().__init__()
        self.config, self.folder = config, folder
        self.curve: list[tuple[int, float, list[LevelScore]]] = []
        self.latency = make_latency(config.evaluate.latency)
        self._next = 0
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("training"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(),
            TextColumn("{task.fields[note]}"), console=console, disable=not console.is_terminal,
        )  # fmt: skip
        self._task: TaskID = self._progress.add_task("training", total=1.0, note="")

    def __enter__(self) -> "Monitor":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    @property
    def learner(self) -> Learner:
        """The learner that is being trained."""
        assert isinstance(self.model, Learner)
        return self.model

    def _on_step(self) -> bool:
        minutes = self.config.minutes
        return minutes is None or self.learner.seconds() < 60 * minutes

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next:
            self._evaluate()
            self._next += self.config.evaluate.every

    def _on_training_end(self) -> None:
        if not self.curve or self.curve[-1][0] != self.num_timesteps:
            self._evaluate()

    def _on_rollout_end(self) -> None:
        env = self.training_env
        assert isinstance(env, SelfPlay)
        rate = self.num_timesteps / max(1e-9, self.learner.seconds())
        self.logger.record("spit/decisions_per_second", rate)
        self.logger.record("spit/illegal_actions", int(env.batch.illegal.sum()))
        self._record(env.ended)
        env.ended = []
        left = self.learner._current_progress_remaining
        hard = self.curve[-1][2][LEVELS.index("hard")].rate if self.curve else float("nan")
        note = f"{self.num_timesteps / 1e6:.1f} M decisions, {rate / 1000:.0f} k/s, {100 * hard:.0f} % v emma:hard"
        self._progress.update(self._task, completed=1.0 - left, note=note)

    def _record(self, ended: list[GameEnd]) -> None:
        if not ended:
            return
        for k, name in enumerate(self.config.opponents):
            met = [end for end in ended if end.opponent == k]
            self.logger.record(f"spit/share_{name}", len(met) / len(ended))
            if met and name != SELF:
                self.logger.record(f"spit/win_rate_{name}", float(np.mean([end.won for end in met])))
        self.logger.record("spit/game_seconds", float(np.mean([end.time_ms for end in ended])) / 1000)
        self.logger.record("spit/truncated", float(np.mean([end.truncated for end in ended])))

    def _evaluate(self) -> None:
        began, seconds = time.monotonic(), self.learner.seconds()
        agent = policy_agent(self.learner, self.config.waits)
        scores = score_levels(agent, self.latency, self.config.evaluate.games, self.config, EVALUATION_SEEDS)
        self.curve.append((self.num_timesteps, seconds, scores))
        for score in scores:
            self.logger.record(f"evaluation/win_rate_emma_{score.level}", score.rate)
        self._write_curve()
        plot_curve(self.curve, self.folder / "curve.png", f"{self.config.name}: games won against Emma")
        self.learner.paused_s += time.monotonic() - began

    def _write_curve(self) -> None:
        rows: list[list[Any]] = [["decisions", "seconds", "level", "wins", "games", "low", "high"]]
        for steps, seconds, scores in self.curve:
            rows += [
                [steps, f"{seconds:.1f}", s.level, s.wins, s.games, *(f"{x:.4f}" for x in s.interval)] for s in scores
            ]
        part = self.folder / "curve.part"
        with part.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        part.replace(self.folder / "curve.csv")
