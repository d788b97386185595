"""One player, one sheet, as Gymnasium has it."""

from __future__ import annotations

from functools import partial
from typing import Any

from kasta.extras import extra

with extra("rl"):
    import gymnasium
    from gymnasium.error import InvalidAction
    from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from kasta.core import Over, Throw
from kasta.env.coding import Mask, find_coding
from kasta.env.dice_stream import Stream, dice_start
from kasta.env.render import RENDER_MODES, Frame, render
from kasta.env.spaces import Seen, action_space, flat_space, observation_space, shown
from kasta.games import GAMES
from kasta.record import Do, Header, Roll, Step, write_record


class SoloEnv(gymnasium.Env[Any, Any]):
    """A game alone. The reward of a step is the points that it adds, so all rewards together are the final total.

    An action that is not legal changes nothing, pays nothing, and sets `info["illegal"]`. A `flat`
    observation is numbers only, and the mask is in `info`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self, game: str, rules: str | None = None, render_mode: str | None = None, *, flat: bool = False
    ) -> None:
        self.coding = find_coding(game, rules)
        self.solo = self.coding.solo
        self.header = Header(game, self.coding.rules, ("agent",))
        self.render_mode, self.flat = render_mode, flat
        self.action_space = action_space(self.coding)
        self.observation_space = flat_space(self.coding) if flat else observation_space(self.coding)
        self._dice: Stream | None = None
        self._begin()

    def _begin(self) -> None:
        self._sheet = self.solo.start()
        self._steps: list[Step] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """A new game; with a seed, from that seed's first throw, without one, from where its dice have come to."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._dice is None:
            self._dice = Stream(dice_start(self.np_random_seed))
        self._begin()
        self._throw(self._dice)
        return self._observe(illegal=False)

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        if self._dice is None:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        if not 0 <= action < len(self.coding.actions):
            raise InvalidAction(f"{action} is no action: there are {len(self.coding.actions)}")
        chosen, before = self.coding.actions[action], self.solo.total(self._sheet)
        illegal = chosen not in self.solo.legal(self._sheet)
        if not illegal:
            self._sheet = self.solo.act(self._sheet, chosen)
            self._steps.append(Do(0, str(chosen)))
            self._throw(self._dice)
        reward = float(self.solo.total(self._sheet) - before)
        over = isinstance(self.solo.next(self._sheet), Over)
        observation, info = self._observe(illegal=illegal)
        return observation, reward, over, False, info

    def _throw(self, dice: Stream) -> None:
        if isinstance(expected := self.solo.next(self._sheet), Throw):
            faces = dice.throw(expected.dice)
            self._sheet = self.solo.throw(self._sheet, faces)
            self._steps.append(Roll(faces))

    def _observe(self, *, illegal: bool) -> tuple[Seen, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        mask, total = self.action_masks(), self.solo.total(self._sheet)
        info = {"action_mask": mask.copy(), "total": total, "illegal": illegal}
        return shown(self.coding.row(self._sheet), mask, flat=self.flat), info

    def action_masks(self) -> Mask:
        """Which actions are legal now, for sb3-contrib."""
        return self.coding.mask(self.solo.legal(self._sheet))

    @property
    def sheet(self) -> Any:  # noqa: ANN401 - each game has its own
        """The sheet as the rules have it."""
        return self._sheet

    def record(self) -> list[str]:
        """The game so far as the lines of a record, as `kasta replay` reads it."""
        return list(write_record(self.header, self._steps))

    def render(self) -> str | Frame | None:
        return render(self.render_mode, self.coding, [self._sheet])


def make_vector(
    game: str,
    num_envs: int = 1,
    rules: str | None = None,
    render_mode: str | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    *,
    flat: bool = False,
) -> VectorEnv[Any, Any, Any]:
    """So many games at once: on kernels if the game has some, else `SoloEnv` side by side."""
    mode = AutoresetMode(autoreset_mode)
    if GAMES[game].kernels:
        from kasta.env.vector import BatchEnv

        return BatchEnv(game, num_envs, rules, render_mode, mode, flat=flat)
    return SyncVectorEnv([partial(SoloEnv, game, rules, render_mode, flat=flat)] * num_envs, autoreset_mode=mode)
