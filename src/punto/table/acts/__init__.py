"""Everything that can be done at a table: each command and event by its name. A new act is a file and a line here."""

# ruff: noqa: F403 — the list of acts; no more can be declared after it
from punto.table.act import COMMANDS as COMMANDS
from punto.table.act import EVENTS as EVENTS
from punto.table.act import Command as Command
from punto.table.act import Event as Event
from punto.table.act import close_registry
from punto.table.acts.announcements import *
from punto.table.acts.bets import *
from punto.table.acts.cards import *
from punto.table.acts.duty import *
from punto.table.acts.end_count import *
from punto.table.acts.insurance import *
from punto.table.acts.places import *
from punto.table.acts.recorded_chips import *
from punto.table.acts.rounds import *
from punto.table.acts.settings import *
from punto.table.acts.shoe import *
from punto.table.acts.squeezes import *
from punto.table.corrections.adjusted import *
from punto.table.corrections.correct_round import *
from punto.table.rulings.cases import *
from punto.table.rulings.correct_cards import *
from punto.table.rulings.decide import *
from punto.table.rulings.decided_money import *
from punto.table.rulings.interruption import *
from punto.table.rulings.neglected import *
from punto.table.rulings.options import *
from punto.table.rulings.order import *
from punto.table.rulings.outside_limits import *
from punto.table.rulings.reconstruct import *
from punto.table.rulings.recorded import *
from punto.table.rulings.reorder import *
from punto.table.rulings.report import *
from punto.table.rulings.void import *
from punto.table.rulings.walk_away import *

close_registry()
