"""The streams of a run, in memory, and the limit that ends it."""

import io

from wire import OUTPUT_LIMIT, TIMEOUT
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module


class Cut(BaseException):
    """Ends a run that exceeds a limit."""


class Limit:
    """What ended the current run, if a limit did. A run that catches its end ends with the server."""

    def __init__(self, give_up, patience=20):
        self.give_up, self.patience = give_up, patience
        self.reset()

    def reset(self):
        self.end, self.count = None, 0

    def exceed(self, kind):
        self.end = self.end or (kind, None)
        self.count += 1
        if self.count > self.patience:
            self.give_up(self.end[0])
        raise Cut

    def __iter__(self):
        return self

    def __next__(self):  # called for the first step too many, and every later one
        self.exceed(TIMEOUT)


class Input(io.BytesIO):
    """Standard input. What a program could do with its descriptor is refused, except `isatty`."""

    name, mode = "<stdin>", "rb"

    def fileno(self):
        return 0


class Output(io.RawIOBase):
    """A pipe's end in memory."""

    mode = "wb"

    def __init__(self, name, most, limit):
        self.name, self.left, self.limit, self.parts = name, most, limit, []

    def writable(self):
        return True

    def fileno(self):
        return 1 if self.name == "<stdout>" else 2

    def write(self, data):
        if self.limit is not None:
            if len(data) > self.left:
                self.limit.exceed(OUTPUT_LIMIT)
            self.left -= len(data)
            self.parts.append(bytes(data))
        return len(data)

    def take(self):
        """What was written. What is written later, by an object of this run that lives on, is lost."""
        self.limit = None
        return b"".join(self.parts)


def wrapped_output(raw, like, **how):
    """What an interpreter makes of a stream that is written to, with or without buffers."""
    if like.write_through:
        return wrapped(raw, like, write_through=True, **how)
    return wrapped(io.BufferedWriter(raw), like, **how)


def wrapped(raw, like, **how):
    return io.TextIOWrapper(raw, encoding=like.encoding, errors=like.errors, **how)
