"""Every bound on outside input, defined once. docs/reference/server.md lists them for readers."""

from __future__ import annotations

from gamedsl.language.boards.drawing import MOST_POINTS
from gamedsl.language.source import lazy_dataclass

__all__ = ["MOST_POINTS"]  # of one stroke: the rules' own bound, which all ways to draw share

# ------------------------------------------------------------------------------------------------- one message
MOST_FRAME = 64 * 1024  # bytes of a message of a socket
MOST_BODY = 8 * 1024  # bytes of a request that makes a table
MOST_STRIKES = 20  # malformed messages before a socket is closed
MOST_WAITING = 64  # answers waiting for a socket
HELLO_SECONDS = 10.0  # until a socket has named its seat
MOST_ID = 2**31  # the number of a request
MOST_ACTION = 2**62
MOST_TRIED = 128  # actions of one question why none is legal
MOST_WORD, MOST_STAMP, MOST_KEY, MOST_NAME = (
    20,
    64,
    100,
    100,
)  # characters: of a request, a stamp, a key, a game or stroke
MOST_STROKES, MOST_DRAWN = 50, 2000  # strokes of a drawing, and points of all of them
MOST_HOST = 260  # characters of a Host header
FARTHEST = 1e6  # distance of a point from the middle

# ------------------------------------------------------------------------------------------------- connections
HEADER_SECONDS = 10.0  # until a whole request has arrived
EXCHANGE_SECONDS = 120.0  # until it is answered
MOST_FILES, OTHER_FILES = (
    65_536,
    256,
)  # open files requested from the system; those that are not connections of visitors
BACKLOG = 64  # connections accepted from the system at once, before the guard sees them
QUEUE = 1024  # connections that the system has not handed over yet

# ------------------------------------------------------------------------------------------------- tables
MOST_OPTIONS, MOST_OPTION = 20, 100  # options of a table; characters of a name with its value
MOST_SEATS = 16
MOST_MARK, MOST_MARKS = 8, 50  # characters of a mark, before it is looked at; changes of a seat's mark
MOST_CALLED, MOST_SAID = 24, 300  # characters of a person's name, and of a message
MOST_WRITTEN = 50_000  # characters of names and messages that a table keeps of a seat, or of all spectators together
MOST_PLANNED, PLANNED_EACH = 50_000, 200  # characters of plans that it keeps of a seat; that every ply adds to them
WRITTEN_LEAST = 50  # that each name, message or plan counts besides its text
SAID_RATE, SAID_BURST = 0.5, 6  # messages a second of a seat, or of the spectators of a network; at once
MOST_SPEAKERS = 200  # whose rates a table knows
MOST_LINES, MOST_AHEAD, MOST_PLY = 10, 12, 200  # lines of a plan; plies of one; characters of a ply
MOST_TRIED_PLIES = 100  # plies of a variation that is tried after the end
MOST_MINE = 40  # seats of one question about the tables of a person
MOST_GAMES = 64  # games kept in memory, with options that are not the rules' own
MOST_EVENTS = 20_000  # of one table
RETRY_SECONDS, RETRY_MOST = 0.5, 60.0  # seconds between attempts after failures: the first, the longest
LONGEST_THOUGHT = 60.0  # seconds for an agent's move, including compilation; after that, any legal move is played
MOST_AT_ONCE = 1000  # writes in one transaction

# ------------------------------------------------------------------------------------------------- time
LAG_MOST = 1000  # milliseconds of a move's transmission that its sender's clock does not count
NOTE_SECONDS = 10.0  # between two notes of the server's time; a crash gives back this much at most
RESUMED_SECONDS = 30  # the least time left, if there was that much, when a server resumes
SWEEP_SECONDS = 60.0  # between two checks of all tables
SLEEP_SECONDS = 180.0  # an idle table leaves the memory after this time; the next alarm brings it back

# ------------------------------------------------------------------------------------------------- quotas
DAY = 86_400.0
MOST_OPEN, MOST_OPEN_EACH = 50_000, 1000  # tables whose game is not over: in all, of one network
OPEN_DAYS = 30  # without an event; then a table no longer counts
MOST_UPLOADS_EACH, MOST_RUNNING_EACH = 50, 3  # of one network
UNUSED_DAYS, UNPLAYED_DAYS = 180, 7  # without a visit; without a table: then an upload is deleted

# ------------------------------------------------------------------------------------------------- uploads
MOST_TEXT = 64 * 1024  # characters of a ruleset
MOST_UPLOAD = 6 * MOST_TEXT + 1024  # bytes of a request that brings one: JSON takes up to six for a character
MOST_UPLOADS = 1000  # kept
MOST_RUNNING = 8  # processes at a time
MOST_FAILURES, FAILURE_SECONDS = 3, 600.0  # failures within this time, after which an upload is not restarted
START_SECONDS = 20.0  # to read, check and lower the rules, and to list the first moves
ANSWER_SECONDS = 30.0  # for an answer of a process
LIFE_SECONDS = 5.0  # for its answer to a check that it is alive
MOST_ASKING = 4  # requests to one process at a time
MOST_ANSWER = 16 << 20  # bytes of its answer
MEMORY = 2 << 30  # bytes of addresses, with the libraries
PROCESSOR = 900  # seconds of processor time; then it is ended, and restarted for the next visitor
MOST_FILE = 64 << 20  # bytes of a file that it writes
IDLE_SECONDS = 120.0  # without visitors; then it ends

# ------------------------------------------------------------------------------------------------- the log of the process
MOST_LOGGED, MINUTE = 100, 60.0  # lines, and the seconds that they may fill
MOST_LINE = 4000  # characters of one, with its traceback


@lazy_dataclass(frozen=True)
class Limits:
    """Per address, or per socket. The defaults suit people behind one router."""

    sockets: int = 64  # at a time, of one network (an IPv4 address, or a /64 of IPv6)
    all_sockets: int = 4000
    connections: int = 128  # without a seat at a time, of one network
    tables_a_minute: float = 20
    questions_a_minute: float = 60  # about the tables of a person, and for QR codes
    messages_a_second: float = 10
    burst: int = 40
