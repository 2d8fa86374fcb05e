/** A WebSocket to the server that comes back by itself: who is there is said first, silence is noticed, a loss is never silent. */
import { signal } from "@preact/signals";
import { addressOf } from "./base";
import { storeToken, sessions, type AccountKind } from "./session";
import type { ClientMessage } from "./wire";

export type ConnectionStatus = "connecting" | "live" | "lost" | "refused" | "unknown" | "forbidden";

const RETRY_MS = [250, 500, 1000, 2000, 4000];
const PING_MS = 5000;
const SILENCE_MS = 12000;
const BAD_TOKEN = 4001;
/** Codes after which it makes no sense to come back, and what they mean. */
const FINAL: Readonly<Record<number, ConnectionStatus>> = { [BAD_TOKEN]: "refused", 4003: "forbidden", 4004: "unknown" };

interface Handlers<Message> {
  /** The last sequence number that was seen, to go on from. */
  after: () => number | null;
  onOpen: () => void;
  onMessage: (message: Message) => void;
}

export class LiveSocket<Message> {
  readonly connection = signal<ConnectionStatus>("connecting");
  private socket: WebSocket | null = null;
  private attempts = 0;
  private lastHeardMs = 0;
  private retryTimer = 0;
  private pingTimer = 0;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly kind: AccountKind | null,
    private readonly handlers: Handlers<Message>,
  ) {
    this.connect();
    this.pingTimer = window.setInterval(() => this.ping(), PING_MS);
    addEventListener("online", this.reconnect);
    addEventListener("offline", this.drop);
  }

  /** Leave for good. */
  close(): void {
    this.closed = true;
    clearInterval(this.pingTimer);
    clearTimeout(this.retryTimer);
    removeEventListener("online", this.reconnect);
    removeEventListener("offline", this.drop);
    this.socket?.close();
  }

  write(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** What came shows that all is well. */
  markLive(): void {
    this.attempts = 0;
    if (this.connection.value !== "live") this.connection.value = "live";
  }

  /** The connection is dead though nobody closed it: let go of it and start again. */
  readonly drop = (): void => {
    const socket = this.socket;
    if (!socket) return;
    this.disconnected(0);
    socket.close();
  };

  private connect(): void {
    const account = this.kind && sessions[this.kind].value ? this.kind : null; // as the cookie that goes with the request
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${addressOf(this.path)}`);
    this.socket = socket;
    this.lastHeardMs = Date.now();
    socket.onopen = () => {
      this.write({ type: "hello", account, after: this.handlers.after() });
      this.handlers.onOpen();
    };
    socket.onmessage = ({ data }) => {
      this.lastHeardMs = Date.now();
      this.handlers.onMessage(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.disconnected(code);
    };
  }

  private disconnected(code: number): void {
    this.socket = null;
    if (this.closed) return;
    const end = FINAL[code];
    if (end) {
      this.connection.value = end;
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

  private ping(): void {
    if (this.socket?.readyState === WebSocket.OPEN && Date.now() - this.lastHeardMs > SILENCE_MS) this.drop();
    else this.write({ type: "ping" });
  }
}
