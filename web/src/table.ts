/**
 * One table, live: the only store of its state. The server's snapshot is the truth; `view`, `me` and `clock` messages
 * replace parts of it, and nothing here knows a rule. A command is pending until the server has replied to its key;
 * after a lost connection it is sent again under the same key, so it can neither be lost nor happen twice.
 */
import { computed, signal } from "@preact/signals";
import { newKey } from "./api";
import { keep, tokens, type Kind } from "./session";
import type { ClientMessage, Command, Refusal, ServerMessage, Snapshot } from "./wire";

export type Link = "connecting" | "live" | "lost" | "refused" | "unknown";

export interface Pending {
  key: string;
  command: Command;
  settle: (refusal: Refusal | null) => void;
}

const RETRY_MS = [250, 500, 1000, 2000, 4000];
const PING_MS = 5000;
const SILENCE_MS = 12000;
const BAD_TOKEN = 4001;
const NO_SUCH_TABLE = 4004;

export class Table {
  readonly snapshot = signal<Snapshot | null>(null);
  readonly link = signal<Link>("connecting");
  readonly pending = signal<readonly Pending[]>([]);
  readonly me = computed(() => this.snapshot.value?.me ?? null);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  skew = 0;
  private socket: WebSocket | null = null;
  private tries = 0;
  private heard = 0;
  private retry = 0;
  private pulse = 0;
  private closed = false;

  constructor(
    readonly id: string,
    private readonly kind: Kind | null,
  ) {
    this.connect();
    this.pulse = window.setInterval(() => this.check(), PING_MS);
    addEventListener("online", this.now);
    addEventListener("offline", this.gone);
  }

  /** Leave the table's feed for good. */
  close(): void {
    this.closed = true;
    clearInterval(this.pulse);
    clearTimeout(this.retry);
    removeEventListener("online", this.now);
    removeEventListener("offline", this.gone);
    this.socket?.close();
  }

  /** Give a command; resolves to null when the server took it, or to its refusal. */
  send(command: Command): Promise<Refusal | null> {
    return new Promise((settle) => {
      const pending = { key: newKey(), command, settle };
      this.pending.value = [...this.pending.value, pending];
      this.transmit(pending);
    });
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.id)}/events`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      this.put({ type: "hello", token: this.kind && tokens[this.kind].value, after: this.snapshot.value?.seq ?? null });
      this.pending.value.forEach((each) => this.transmit(each));
    };
    socket.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.take(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  private lost(code: number): void {
    this.socket = null;
    if (this.closed) return;
    if (code === BAD_TOKEN || code === NO_SUCH_TABLE) {
      this.link.value = code === BAD_TOKEN ? "refused" : "unknown";
      if (code === BAD_TOKEN && this.kind) keep(this.kind, null);
      return;
    }
    this.link.value = "lost";
    this.retry = window.setTimeout(() => this.connect(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
  }

  private readonly now = (): void => {
    if (this.link.value !== "lost") return;
    clearTimeout(this.retry);
    this.tries = 0;
    if (!this.socket) this.connect();
  };

  /** The line is dead though nobody closed it: let go of it and start again. */
  private readonly gone = (): void => {
    const socket = this.socket;
    if (!socket) return;
    this.lost(0);
    socket.close();
  };

  private check(): void {
    if (this.socket?.readyState === WebSocket.OPEN && Date.now() - this.heard > SILENCE_MS) this.gone();
    else this.put({ type: "ping" });
  }

  private transmit({ key, command }: Pending): void {
    this.put({ type: "command", key, command });
  }

  private put(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private take(message: ServerMessage): void {
    const current = this.snapshot.value;
    switch (message.type) {
      case "snapshot":
        this.skew = message.now_ms - Date.now();
        this.alive();
        this.snapshot.value = message;
        break;
      case "event":
        if (current && message.seq > current.seq + 1) this.gone();
        else if (current && message.seq > current.seq) {
          this.alive();
          this.snapshot.value = { ...current, seq: message.seq };
        }
        break;
      case "view":
        this.alive();
        if (current) this.snapshot.value = { ...current, ...message.view };
        break;
      case "me":
        if (current) this.snapshot.value = { ...current, me: message.me };
        break;
      case "clock":
        this.alive();
        this.skew = message.now_ms - Date.now();
        if (current) this.snapshot.value = { ...current, ends_at_ms: message.ends_at_ms };
        break;
      case "suspended":
        if (current) this.snapshot.value = { ...current, suspended: message.suspended };
        break;
      case "reply":
        this.replied(message.key, message.refused ?? null);
        break;
      case "pong":
        this.alive();
    }
  }

  private alive(): void {
    this.tries = 0;
    if (this.link.value !== "live") this.link.value = "live";
  }

  private replied(key: string, refusal: Refusal | null): void {
    const done = this.pending.value.find((each) => each.key === key);
    this.pending.value = this.pending.value.filter((each) => each.key !== key);
    done?.settle(refusal);
  }
}
