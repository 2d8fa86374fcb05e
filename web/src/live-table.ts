/**
 * One table, live: the only store of its state. The server's snapshot is the truth; `view`, `me` and `clock` messages
 * replace parts of it, and nothing here knows a rule. What a page draws is `shown`, which may lag by a card's flight. A command is pending until the server has replied to its key;
 * after a lost connection it is sent again under the same key, so it can neither be lost nor happen twice.
 */
import { computed, signal } from "@preact/signals";
import { newKey } from "./api";
import { LiveSocket } from "./live-socket";
import { showToast } from "./notices";
import { Reveal } from "./reveal";
import type { AccountKind } from "./session";
import { t } from "./texts";
import type { Command, Person, Refusal, ServerMessage, Snapshot } from "./wire";

export interface Pending {
  key: string;
  command: Command;
  resolve: (refusal: Refusal | null) => void;
}

/** Whether nobody sees cards move: no motion is wanted, or the page is in the background. */
const isStill = (): boolean => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a card flies or turns over. */
const inMotion = (): boolean => [...document.querySelectorAll(".hands .card")].some((card) => card.getAnimations({ subtree: true }).length > 0);

export class LiveTable {
  /** The newest that the server told. */
  readonly snapshot = signal<Snapshot | null>(null);
  readonly pending = signal<readonly Pending[]>([]);
  readonly reveal: Reveal;
  readonly me = computed(() => this.shown.value?.me ?? null);
  /** How many events came that may have brought a notice. */
  readonly told = signal(0);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  clockSkewMs = 0;
  private readonly socket: LiveSocket<ServerMessage>;
  /** Whether the next view tells how things stand after a time without a connection. */
  private catchingUp = true;

  constructor(
    readonly id: string,
    kind: AccountKind | null,
  ) {
    // Staff work with what the server says now.
    this.reveal = new Reveal(kind === "staff" ? () => true : isStill, inMotion);
    this.socket = new LiveSocket(`/api/tables/${encodeURIComponent(id)}/events`, kind, {
      after: () => this.snapshot.value?.seq ?? null,
      onOpen: () => {
        this.catchingUp = true;
        this.pending.value.forEach((each) => this.transmit(each));
      },
      onMessage: (message) => this.receive(message),
    });
  }

  /** The table as the page draws it. */
  get shown() {
    return this.reveal.shown;
  }

  get connection() {
    return this.socket.connection;
  }

  /** Leave the table's feed for good. */
  close(): void {
    this.reveal.close();
    this.socket.close();
  }

  /** Give a command; resolves to null when the server took it, or to its refusal. */
  send(command: Command): Promise<Refusal | null> {
    return new Promise((resolve) => {
      const pending = { key: newKey(), command, resolve };
      this.pending.value = [...this.pending.value, pending];
      this.transmit(pending);
    });
  }

  private transmit({ key, command }: Pending): void {
    this.socket.write({ type: "command", key, command });
  }

  private receive(message: ServerMessage): void {
    if ("now_ms" in message) this.clockSkewMs = message.now_ms - Date.now();
    const seq = this.snapshot.value?.seq;
    switch (message.type) {
      case "snapshot":
        this.replace(message);
        this.catchingUp = false;
        return this.socket.markLive();
      case "event":
        if (seq === undefined || message.seq <= seq) return;
        if (message.seq > seq + 1) return this.socket.drop();
        this.update({ seq: message.seq });
        this.notice(message);
        return this.socket.markLive();
      case "view":
        this.update(message.view);
        this.catchingUp = false;
        return this.socket.markLive();
      case "clock":
        this.update({ ends_at_ms: message.ends_at_ms });
        return this.socket.markLive();
      case "pong":
        return this.socket.markLive();
      case "me":
        return this.update({ me: message.me });
      case "suspended":
        return this.update({ suspended: message.suspended });
      case "reply":
        return this.settle(message.key, message.refused ?? null);
    }
  }

  /** A patron is told when staff bet for them, and asks for notices after what may have brought one. */
  private notice({ event, brings_notice }: Extract<ServerMessage, { type: "event" }>): void {
    if (brings_notice) this.told.value += 1;
    if (event.kind !== "bet-placed" && event.kind !== "bet-raised") return;
    const [role, person] = event.by.split(":");
    if (event.bet.patron === this.me.value?.id && role !== "patron" && person) showToast(t("bet-by-staff", { role: role as Person["role"], person }));
  }

  private update(part: Partial<Snapshot>): void {
    if (this.snapshot.value) this.replace({ ...this.snapshot.value, ...part });
  }

  private replace(snapshot: Snapshot): void {
    this.snapshot.value = snapshot;
    this.reveal.take(snapshot, this.catchingUp);
  }

  private settle(key: string, refusal: Refusal | null): void {
    const done = this.pending.value.find((each) => each.key === key);
    this.pending.value = this.pending.value.filter((each) => each.key !== key);
    done?.resolve(refusal);
  }
}
