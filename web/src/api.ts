/** HTTP calls. A refusal by the server is thrown as a Problem that carries its code, paragraph and sentence. */
import { keep, tokens, type Kind } from "./session";
import type { Refused } from "./types";

export class Problem extends Error implements Refused {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly rule: string | null,
    message: string,
  ) {
    super(message);
  }
}

export const newKey = (): string => crypto.randomUUID();

async function call<T>(method: string, path: string, kind: Kind | null, body?: unknown, key?: string): Promise<T> {
  const token = kind && tokens[kind].value;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Problem(0, "no-connection", null, "");
  }
  const text = await answer.text();
  const data = answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
  if (answer.ok) return data as T;
  if (answer.status === 401 && kind) keep(kind, null);
  throw new Problem(
    answer.status,
    data?.code ?? "no-answer",
    data?.rule ?? null,
    data?.detail ?? data?.title ?? "",
  );
}

export const get = <T>(path: string, kind: Kind | null = null) => call<T>("GET", path, kind);

/** Post; a repeat with the same key after a lost answer is the same request. */
export async function post<T>(path: string, kind: Kind | null, body: unknown = {}, key: string = newKey()): Promise<T> {
  try {
    return await call<T>("POST", path, kind, body, key);
  } catch (error) {
    if (error instanceof Problem && error.status === 0) return call<T>("POST", path, kind, body, key);
    throw error;
  }
}

/** Save a file that needs a token to fetch. */
export async function download(path: string, kind: Kind, name = path.split("/").pop()!.split("?")[0]!): Promise<void> {
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${tokens[kind].value}` } });
  if (!answer.ok) throw new Problem(answer.status, "no-answer", null, "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
