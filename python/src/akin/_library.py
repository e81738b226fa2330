"""Features and alignments in this process, by the shared library of ffi/akin_features.h."""

import ctypes
import functools
import os
from typing import Any

from .program import ProgramError


INSTALLED = "/usr/lib/akin/libakin_features.so"  # by the Debian package


class _Found(ctypes.Structure):
    _fields_ = (
        ("words", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("features", ctypes.POINTER(ctypes.c_uint64)),
        ("counts", ctypes.POINTER(ctypes.c_uint32)),
    )


class _Passage(ctypes.Structure):
    _fields_ = (*((name, ctypes.c_uint32) for name in ("a_begin", "a_end", "b_begin", "b_end")), ("words", ctypes.c_uint64))


class _Aligned(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("a_words", "b_words", "a_matched", "b_matched", "count")),
        ("passages", ctypes.POINTER(_Passage)),
    )


_Error = ctypes.POINTER(ctypes.c_char_p)


@functools.cache
def load(path: str) -> ctypes.CDLL:
    """The library, whose functions release the lock of the interpreter."""
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ProgramError(f"AKIN_LIBRARY: {error}") from error
    library.akin_open.argtypes = (ctypes.c_char_p, ctypes.c_char_p, _Error)
    library.akin_open.restype = ctypes.c_void_p
    library.akin_features_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, _Error)
    library.akin_features_of.restype = ctypes.POINTER(_Found)
    library.akin_free_features.argtypes = (ctypes.POINTER(_Found),)
    library.akin_free_features.restype = None
    library.akin_align.argtypes = (ctypes.c_void_p, *(ctypes.c_char_p, ctypes.c_size_t) * 2, _Error)
    library.akin_align.restype = ctypes.POINTER(_Aligned)
    library.akin_free_alignment.argtypes = (ctypes.POINTER(_Aligned),)
    library.akin_free_alignment.restype = None
    library.akin_free_error.argtypes = (ctypes.c_char_p,)
    library.akin_free_error.restype = None
    return library


class Analyser:
    """Dictionaries and a scheme, open until the process ends. Any number of threads may use one."""

    def __init__(self, path: str, languages: str | None, scheme: str | None):
        self.library = load(path)
        given = [None if text is None else text.encode() for text in (languages, scheme)]
        self.opened = self._call(self.library.akin_open, *given)

    def features(self, text: str) -> tuple[int, list[int], list[int]]:
        """The number of words, the features ascending, and how often the text has each."""
        encoded = text.encode("utf-8", "replace")
        found = self._call(self.library.akin_features_of, self.opened, encoded, len(encoded))
        try:
            one = found.contents
            return one.words, one.features[: one.count], one.counts[: one.count]
        finally:
            self.library.akin_free_features(found)

    def align(self, a: str, b: str) -> tuple[tuple[int, int, int, int], list[tuple[int, int, int, int, int]]]:
        """The words of both, those of each in passages; and of each passage its range in both and its words."""
        a_bytes, b_bytes = a.encode("utf-8", "replace"), b.encode("utf-8", "replace")
        found = self._call(self.library.akin_align, self.opened, a_bytes, len(a_bytes), b_bytes, len(b_bytes))
        try:
            one = found.contents
            passages = [(each.a_begin, each.a_end, each.b_begin, each.b_end, each.words) for each in one.passages[: one.count]]
            return (one.a_words, one.b_words, one.a_matched, one.b_matched), passages
        finally:
            self.library.akin_free_alignment(found)

    def _call(self, function: Any, *arguments: Any) -> Any:
        error = ctypes.c_char_p()
        result = function(*arguments, ctypes.byref(error))
        if result:
            return result
        message = (error.value or b"out of memory").decode("utf-8", "replace")
        self.library.akin_free_error(error)
        raise ProgramError(message)


@functools.cache
def _analyser(path: str, languages: str | None, scheme: str | None, process: int) -> Analyser:
    """One for each process that asks with its own number: a fork shares none."""
    assert process == os.getpid()
    return Analyser(path, languages, scheme)


def analyser(path: str, lang: str | list[str] | None, scheme: str | None = None) -> Analyser:
    """This process's, for these languages or those of AKIN_LANG."""
    languages = ",".join(lang) if isinstance(lang, list) else lang or os.environ.get("AKIN_LANG")
    return _analyser(path, languages, scheme, os.getpid())
