/**
 * One table, live: the only store of its state. The server's snapshot is the truth; `view`, `me` and `clock` messages
 * replace parts of it, and nothing here knows a rule. A command is pending until the server has replied to its key;
 * after a lost connection it is sent again under the same key, so it can neither be lost nor happen twice.
 */
import { computed, signal } from "@preact/signals";
import { newKey } from "./api";
import { showToast } from "./notices";
import { storeToken, tokens, type AccountKind } from "./session";
import { t } from "./texts";
import type { ClientMessage, Command, Person, Refusal, ServerMessage, Snapshot } from "./wire";

export type ConnectionStatus = "connecting" | "live" | "lost" | "refused" | "unknown";

export interface Pending {
  key: string;
  command: Command;
  resolve: (refusal: Refusal | null) => void;
}

const RETRY_MS = [250, 500, 1000, 2000, 4000];
const PING_MS = 5000;
const SILENCE_MS = 12000;
const BAD_TOKEN = 4001;
const NO_SUCH_TABLE = 4004;

export class LiveTable {
  readonly snapshot = signal<Snapshot | null>(null);
  readonly connection = signal<ConnectionStatus>("connecting");
  readonly pending = signal<readonly Pending[]>([]);
  readonly me = computed(() => this.snapshot.value?.me ?? null);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  clockSkewMs = 0;
  private socket: WebSocket | null = null;
  private attempts = 0;
  private lastHeardMs = 0;
  private retryTimer = 0;
  private pingTimer = 0;
  private closed = false;

  constructor(
    readonly id: string,
    private readonly kind: AccountKind | null,
  ) {
    this.connect();
    this.pingTimer = window.setInterval(() => this.ping(), PING_MS);
    addEventListener("online", this.reconnect);
    addEventListener("offline", this.drop);
  }

  /** Leave the table's feed for good. */
  close(): void {
    this.closed = true;
    clearInterval(this.pingTimer);
    clearTimeout(this.retryTimer);
    removeEventListener("online", this.reconnect);
    removeEventListener("offline", this.drop);
    this.socket?.close();
  }

  /** Give a command; resolves to null when the server took it, or to its refusal. */
  send(command: Command): Promise<Refusal | null> {
    return new Promise((resolve) => {
      const pending = { key: newKey(), command, resolve };
      this.pending.value = [...this.pending.value, pending];
      this.transmit(pending);
    });
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.id)}/events`);
    this.socket = socket;
    this.lastHeardMs = Date.now();
    socket.onopen = () => {
      this.write({ type: "hello", account: this.kind && tokens[this.kind].value ? this.kind : null, after: this.snapshot.value?.seq ?? null });
      this.pending.value.forEach((each) => this.transmit(each));
    };
    socket.onmessage = ({ data }) => {
      this.lastHeardMs = Date.now();
      this.receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.disconnected(code);
    };
  }

  private disconnected(code: number): void {
    this.socket = null;
    if (this.closed) return;
    if (code === BAD_TOKEN || code === NO_SUCH_TABLE) {
      this.connection.value = code === BAD_TOKEN ? "refused" : "unknown";
      if (code === BAD_TOKEN && this.kind) void storeToken(this.kind, null);
      return;
    }
    this.connection.value = "lost";
    this.retryTimer = window.setTimeout(() => this.connect(), RETRY_MS[Math.min(this.attempts++, RETRY_MS.length - 1)]);
  }

  private readonly reconnect = (): void => {
    if (this.connection.value !== "lost") return;
    clearTimeout(this.retryTimer);
    this.attempts = 0;
    if (!this.socket) this.connect();
  };

  /** The connection is dead though nobody closed it: let go of it and start again. */
  private readonly drop = (): void => {
    const socket = this.socket;
    if (!socket) return;
    this.disconnected(0);
    socket.close();
  };

  private ping(): void {
    if (this.socket?.readyState === WebSocket.OPEN && Date.now() - this.lastHeardMs > SILENCE_MS) this.drop();
    else this.write({ type: "ping" });
  }

  private transmit({ key, command }: Pending): void {
    this.write({ type: "command", key, command });
  }

  private write(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    if ("now_ms" in message) this.clockSkewMs = message.now_ms - Date.now();
    const seq = this.snapshot.value?.seq;
    switch (message.type) {
      case "snapshot":
        this.snapshot.value = message;
        return this.markLive();
      case "event":
        if (seq === undefined || message.seq <= seq) return;
        if (message.seq > seq + 1) return this.drop();
        this.update({ seq: message.seq });
        this.notice(message.event);
        return this.markLive();
      case "view":
        this.update(message.view);
        return this.markLive();
      case "clock":
        this.update({ ends_at_ms: message.ends_at_ms });
        return this.markLive();
      case "pong":
        return this.markLive();
      case "me":
        return this.update({ me: message.me });
      case "suspended":
        return this.update({ suspended: message.suspended });
      case "reply":
        return this.settle(message.key, message.refused ?? null);
    }
  }

  /** A patron is told when staff bet for them. */
  private notice(event: Extract<ServerMessage, { type: "event" }>["event"]): void {
    if (event.kind !== "bet-placed" && event.kind !== "bet-raised") return;
    const [role, person] = event.by.split(":");
    if (event.bet.patron === this.me.value?.id && role !== "patron" && person) showToast(t("bet-by-staff", { role: role as Person["role"], person }));
  }

  private update(part: Partial<Snapshot>): void {
    if (this.snapshot.value) this.snapshot.value = { ...this.snapshot.value, ...part };
  }

  private markLive(): void {
    this.attempts = 0;
    if (this.connection.value !== "live") this.connection.value = "live";
  }

  private settle(key: string, refusal: Refusal | null): void {
    const done = this.pending.value.find((each) => each.key === key);
    this.pending.value = this.pending.value.filter((each) => each.key !== key);
    done?.resolve(refusal);
  }
}
