"""Pretrained encoders by name: from a folder, from the hub, or from its local cache."""

from __future__ import annotations

from pathlib import Path

from arctag.errors import InputError

_SECONDS = 10.0  # timeout


def only_here(encoder: str | Path) -> bool:
    """Whether an encoder must come from this machine: it is a folder, or the hub cannot be reached.

    The hub gets one request with a timeout: without this, transformers would send one for each file, again and again.
    An encoder that is nowhere is an `InputError`.
    """
    if Path(encoder).is_dir():
        return True
    from huggingface_hub import HfApi, try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError

    try:
        HfApi().model_info(str(encoder), timeout=_SECONDS)
    except (HFValidationError, RepositoryNotFoundError) as error:
        raise InputError(f"no encoder {encoder!s}: there is no such folder, and no such model on the hub") from error
    except Exception as error:  # a network fails in many ways
        if not isinstance(try_to_load_from_cache(str(encoder), "config.json"), str):
            raise InputError(
                f"no encoder {encoder!s}: there is no such folder, and the hub cannot be reached; "
                "give the folder of a pretrained encoder"
            ) from error
        return True
    return False
