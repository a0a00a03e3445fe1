// What a person does here, carried to the desk: sent again until it says what became of it.
//
// An answer has a key under which it counts once, so a broken connection neither swallows it nor
// gives it twice. It is meant for one run of the desk, and for what that asked. Imports `api`,
// `acts` and `store`.

import { type Api, ApiError } from "../api/client.ts";
import type { Device, Health, Pairing, Reply, Row, Settings, Settled } from "../api/types.ts";
import type { Act } from "./acts.ts";
import { chance } from "./chance.ts";
import type { Told } from "./presence.ts";
import { RESTARTED, type Store } from "./store.ts";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
const UNCERTAIN =
  "The connection broke, so it is not known whether the desk took this. Look at what is shown once it is back.";

export class Actions {
  private readonly fetching = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly api: Api,
    private readonly firstRetryMs = FIRST_RETRY_MS,
  ) {}

  /** Answers a request. What becomes of it stands in the store. */
  answer(id: string, reply: Reply): Promise<void> {
    const key = chance();
    const call = (): Promise<Settled> =>
      this.api.post<Settled>(`${pathOf(id)}/answer`, { ...reply, key });
    return this.begin(id, { what: "answer", reply, key }, call);
  }

  /** Gives a request back to the agent's own prompt: nothing is decided. */
  release(id: string): Promise<void> {
    const key = chance();
    const call = (): Promise<Settled> => this.api.post<Settled>(`${pathOf(id)}/release`);
    return this.begin(id, { what: "release", key }, call);
  }

  private async begin(
    id: string,
    what: Pick<Act, "what" | "reply" | "key">,
    call: () => Promise<Settled>,
  ): Promise<void> {
    const before = this.store.acts.get(id)?.phase;
    if (before === "sending" || before === "sent") return; // one answer, however often it is pressed
    const act: Act = { ...what, phase: "sending", boot: this.store.state.boot, since: Date.now(), tries: 0 };
    this.store.setAct(id, act);
    for (let waitMs = this.firstRetryMs; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      if (await this.attempt(id, act.key, call)) return;
      await this.untilLikely(waitMs);
    }
  }

  /** Sends once; returns whether there is nothing more to do. */
  private async attempt(id: string, key: string, call: () => Promise<Settled>): Promise<boolean> {
    const act = this.store.acts.get(id);
    // Meanwhile another desk, or another question under this id: this answer was not meant for it.
    if (act?.key !== key || act.phase !== "sending") return true;
    this.store.setAct(id, { ...act, tries: act.tries + 1, waiting: act.tries > 0 });
    try {
      if (act.tries > 0 && !(await this.isSameDesk(act.boot))) {
        this.move(id, key, { phase: "refused", message: RESTARTED });
        return true;
      }
      const settled = await call();
      this.move(id, key, { phase: settled.acknowledged ? "acknowledged" : "sent" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isLoss) {
        this.move(id, key, { waiting: true });
        return false;
      }
      this.move(id, key, ending(act, error));
    }
    return true;
  }

  /** Whether the desk that answers now is the one that asked: who asks may use an id again. */
  private async isSameDesk(boot: string): Promise<boolean> {
    return (await this.api.get<Health>("/api/health")).boot === boot;
  }

  /** Changes an act, unless it is another one by now. */
  private move(id: string, key: string, change: Partial<Act>): void {
    const act = this.store.acts.get(id);
    if (act?.key !== key) return;
    const since = change.phase && change.phase !== act.phase ? Date.now() : act.since;
    this.store.setAct(id, { ...act, waiting: false, ...change, since });
  }

  /** Waits a while, and then until the desk is there. */
  private async untilLikely(waitMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (this.store.online) return;
    await new Promise((resolve) => this.store.addEventListener("online", resolve, { once: true }));
  }

  /** Takes the words on what was refused away. */
  dismiss(id: string): void {
    const phase = this.store.acts.get(id)?.phase;
    if (phase === "refused" || phase === "gone") {
      this.store.acts.delete(id);
      this.store.dispatchEvent(new Event("change"));
    }
  }

  /** Fetches a row whole, which the desk notes as a receipt. */
  async row(id: string, index: number): Promise<void> {
    const boot = this.store.state.boot;
    const name = JSON.stringify([boot, id, index]);
    if (this.fetching.has(name) || this.store.rows.get(id)?.has(index)) return;
    this.fetching.add(name);
    try {
      for (let waitMs = this.firstRetryMs; this.store.state.boot === boot; waitMs *= 2) {
        if (!this.store.state.requests.has(id) || (await this.fetchRow(id, index, boot))) return;
        await this.untilLikely(Math.min(waitMs, LAST_RETRY_MS));
      }
    } finally {
      this.fetching.delete(name);
    }
  }

  private async fetchRow(id: string, index: number, boot: string): Promise<boolean> {
    const asked = this.store.state.requests.get(id)?.created_at;
    try {
      const row = await this.api.get<Row>(`${pathOf(id)}/rows/${index}`);
      const isSame = this.store.state.boot === boot && this.store.find(id)?.created_at === asked;
      if (isSame) this.store.setRow(id, index, row);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return !error.isLoss; // gone, or refused: the card says so by itself
    }
  }

  /** Queues a message for a session. Not sent again by itself: twice would be twice. */
  async sendMessage(agent: string, session_id: string, text: string, when: "soon" | "stop"): Promise<void> {
    await once(this.api.post("/api/agent-messages", { agent, session_id, text, when }));
  }

  async unsendMessage(agent: string, session_id: string): Promise<void> {
    const path = `/api/agent-messages/${encodeURIComponent(agent)}/${encodeURIComponent(session_id)}`;
    await once(this.api.delete(path));
  }

  /** Ends what is allowed for a while. */
  async endGrant(id: string): Promise<void> {
    await once(this.api.delete(`/api/grants/${encodeURIComponent(id)}`));
  }

  async setAway(away: boolean): Promise<void> {
    await once(this.api.put<Settings>("/api/away", { away }));
  }

  async change(settings: Partial<Settings>): Promise<void> {
    await once(this.api.put<Settings>("/api/agent-requests/settings", settings));
  }

  async revoke(deviceId: string): Promise<void> {
    await once(this.api.delete(`/api/devices/${encodeURIComponent(deviceId)}`));
  }

  pairing(name: string, power: string): Promise<Pairing> {
    return once(this.api.post<Pairing>("/api/pairing", { ...(name ? { name } : {}), power }));
  }

  /** Closes a code before its time. */
  async closePairing(id: string): Promise<void> {
    await once(this.api.delete(`/api/pairing/${encodeURIComponent(id)}`));
  }

  async devices(): Promise<readonly Device[]> {
    return (await this.api.get<{ devices: Device[] }>("/api/devices")).devices;
  }

  /** Tells whether a person is here; what fails is told again soon anyway. */
  presence(told: Told, last: boolean): void {
    this.api.post("/api/presence", told, last).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }
}

function pathOf(id: string): string {
  return `/api/agent-requests/${encodeURIComponent(id)}`;
}

/** Returns what an error says of an act that is over. */
function ending(act: Act, error: ApiError): Partial<Act> {
  if (error.status === 409) {
    // A release that was sent twice finds its own first one.
    if (act.what === "release" && error.state === "released") return { phase: "sent" };
    return { phase: "gone", message: error.message, code: error.code };
  }
  return { phase: "refused", message: error.message, field: error.field, code: error.code };
}

/** Waits for a call that is made once; a loss is told as what it is. */
async function once<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) {
      throw new ApiError(0, error.code, UNCERTAIN);
    }
    throw error;
  }
}
