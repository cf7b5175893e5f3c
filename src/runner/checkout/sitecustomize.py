"""Written by aiwg-gate into a throw-away checkout: moves what leads into the working tree over to the checkout."""

import os
import sys


def _text(raw):
    return raw if str is bytes else os.fsdecode(raw)


ROOTS = []
BORROWED = []
CHECKOUT = None
DOUBTS = None


def _below(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _inside(path):
    """The part of a path behind the root of the working tree, unless it leads to something borrowed."""
    if not isinstance(path, str) or not os.path.isabs(path):
        return None
    prefixes = [sys.prefix, sys.exec_prefix, getattr(sys, "base_prefix", sys.prefix)]
    for form in (os.path.normpath(path), os.path.realpath(path)):
        for root in ROOTS:
            if not _below(form, root) or _below(form, CHECKOUT):
                continue
            kept = BORROWED + [prefix for prefix in prefixes if _below(prefix, root)]
            if any(_below(form, folder) for folder in kept):
                return None
            return form[len(root):].lstrip(os.sep)
    return None


def _doubt(words):
    try:
        with open(DOUBTS, "a") as file:
            file.write(words.replace("\n", " ") + "\n")
    except (OSError, UnicodeError):
        pass


def _moved(path):
    inside = _inside(path)
    if inside is None:
        return path
    moved = os.path.join(CHECKOUT, inside) if inside else CHECKOUT
    return moved


def _exists(path):
    return os.path.exists(path) or os.path.exists(path + ".py")


def _move_entry(path, what):
    moved = _moved(path)
    if moved != path and _exists(path) and not _exists(moved):
        _doubt("Python's %s leads to %s in the working tree, which is not checked out" % (what, _inside(path)))
    return moved


def _borrow_metadata(path, moved):
    """Installs of the old kind keep what `importlib.metadata` reads beside the sources, ignored by git."""
    if path == moved or not os.path.isdir(path) or not os.path.isdir(moved):
        return
    for name in os.listdir(path):
        if name.endswith(".egg-info") and not os.path.lexists(os.path.join(moved, name)):
            os.symlink(os.path.join(path, name), os.path.join(moved, name))


def _move_search_path():
    for index, path in enumerate(sys.path):
        moved = _move_entry(path, "search path")
        sys.path[index] = moved
        try:
            _borrow_metadata(path, moved)
        except OSError:
            pass


def _move_mapping(mapping):
    for name, path in list(mapping.items()):
        if isinstance(path, (list, tuple)):
            mapping[name] = type(path)(_move_entry(part, "editable install") for part in path)
        else:
            mapping[name] = _move_entry(path, "editable install")


def _strings(value, depth):
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, dict):
        for key in value:
            for text in _strings(value[key], depth - 1):
                yield text
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            for text in _strings(part, depth - 1):
                yield text


def _move_finders():
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable__"):
            for table in ("MAPPING", "NAMESPACES"):
                if isinstance(getattr(module, table, None), dict):
                    _move_mapping(getattr(module, table))
    for finder in sys.meta_path:
        kind = finder if isinstance(finder, type) else type(finder)
        if kind.__module__.startswith("__editable__"):
            continue
        if kind.__module__ == "editables.redirector" and isinstance(getattr(kind, "_redirections", None), dict):
            _move_mapping(kind._redirections)
            continue
        for text in _strings(dict(getattr(finder, "__dict__", {})), 3):
            if _inside(text) is not None:
                _doubt("Python's finder %s.%s leads into the working tree" % (kind.__module__, kind.__name__))
                break


def _hand_on():
    """Another `sitecustomize` that this one stands before."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if not path or os.path.abspath(path) != here]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        if mine is not None:
            sys.modules["sitecustomize"] = mine


_move_search_path()
_move_finders()
_hand_on()
