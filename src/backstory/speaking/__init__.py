"""What a person is told, in English or Chinese. What a model is told is not said through this."""

from backstory.speaking.voice import explained, is_chinese, retold, said, speak

__all__ = ["explained", "is_chinese", "retold", "said", "speak"]
