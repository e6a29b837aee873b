"""What a person is told, in English or Chinese. What a model is told is not said through this."""

from backstory.speaking.voice import is_chinese, retold, said, speak

__all__ = ["is_chinese", "retold", "said", "speak"]
