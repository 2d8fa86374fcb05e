/** The whole floor, live: figures, open cases and significant events, each replaced when the server says that it changed. */
import { signal } from "@preact/signals";
import { LiveSocket } from "./live-socket";
import type { AccountKind } from "./session";
import type { FloorMessage, FloorServerMessage } from "./wire";

/** What the server has told so far; all of it once the first message came. */
export type FloorState = Required<Pick<FloorMessage, "floor" | "incidents" | "significant" | "people">>;

export class LiveFloor {
  readonly state = signal<FloorState | null>(null);
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockSkewMs = signal(0);
  private readonly socket: LiveSocket<FloorServerMessage>;

  constructor(kind: AccountKind) {
    this.socket = new LiveSocket("/api/floor/events", kind, {
      after: () => null,
      onOpen: () => undefined,
      onMessage: (message) => this.receive(message),
    });
  }

  get connection() {
    return this.socket.connection;
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FloorServerMessage): void {
    this.socket.markLive();
    if (message.type !== "floor") return;
    const { type, now_ms, ...parts } = message;
    this.clockSkewMs.value = now_ms - Date.now();
    this.state.value = { ...this.state.value, ...parts } as FloorState;
  }
}
