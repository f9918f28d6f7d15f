"""The ids under which Gymnasium and PettingZoo find the environments."""

import gymnasium
import pettingzoo

PARALLEL_ID = "spit/Spit-v0"
SOLO_ID = "spit/SpitSolo-v0"


def register_envs() -> None:
    """Register all ids; importing `spit_env` does it, doing it again changes nothing."""
    if SOLO_ID not in gymnasium.registry:
        gymnasium.register(
            SOLO_ID,
            entry_point="spit_agents.solo:SpitSoloEnv",
            vector_entry_point="spit_agents.solo:SpitSoloVectorEnv",
            disable_env_checker=True,  # it samples without masks; spit_env.conformance checks more
        )
    register = getattr(pettingzoo, "register", None)  # the registry is new in PettingZoo 1.27
    if register is not None and PARALLEL_ID not in pettingzoo.parallel_registry:
        register("parallel", id=PARALLEL_ID, entry_point="spit_env.env:parallel_env")
