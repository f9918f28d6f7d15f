"""The ids under which Gymnasium and PettingZoo find the environments."""

import gymnasium
import pettingzoo

# For each game the name in its ids and the rules that it is played by unless others are asked for.
IDS = {"Spit": "emma", "Speed": "speed", "CaliforniaSpeed": "california"}


def register_envs() -> None:
    """Register all ids; importing `spit_env` does it, doing it again changes nothing."""
    register = getattr(pettingzoo, "register", None)  # the registry is new in PettingZoo 1.27
    for name, rules in IDS.items():
        solo, parallel = f"spit/{name}Solo-v0", f"spit/{name}-v0"
        if solo not in gymnasium.registry:
            gymnasium.register(
                solo,
                entry_point="spit_agents.solo:SpitSoloEnv",
                vector_entry_point="spit_agents.solo:SpitSoloVectorEnv",
                disable_env_checker=True,  # it samples without masks; spit_env.conformance checks more
                kwargs={"rules": rules},
            )
        if register is not None and parallel not in pettingzoo.parallel_registry:
            register("parallel", id=parallel, entry_point="spit_env.env:parallel_env", kwargs={"rules": rules})
