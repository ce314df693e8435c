import { setTimeout as wait } from 'node:timers/promises';
import { headersOf, plainTrigger } from './job-loads.mjs';

const CONNECTIONS = 16;
/** Triggers wait while more runs than these have not been called. */
const MOST_WAITING = 500;
const PAUSE_MS = 5;
const REPEAT_MS = 50;

/** Triggers without end, each sent again until it is accepted: so what a fault lost is a program's fault. */
export class SteadyLoad {
  /** How many triggers were accepted. Their numbers are from 1 to this, but for those that are under way. */
  accepted = 0;
  #sent = 0;
  #isStopped = false;
  #senders;

  /** @param {{ triggerUrl: string, tokens: string[] }} subject */
  constructor({ triggerUrl, tokens }, handler) {
    this.#senders = Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const headers = headersOf(tokens, connection);
      while (!this.#isStopped) {
        if (this.#sent - handler.arrivals.size > MOST_WAITING) await wait(PAUSE_MS);
        else await this.#send(triggerUrl, headers, (this.#sent += 1));
      }
    });
  }

  /** Sends no more triggers, and resolves when all have been accepted. */
  async stop() {
    this.#isStopped = true;
    await Promise.all(this.#senders);
  }

  async #send(url, headers, number) {
    const body = JSON.stringify(plainTrigger(number));
    while (!(await isAccepted(url, { method: 'POST', headers, body }))) await wait(REPEAT_MS);
    this.accepted += 1;
  }
}

async function isAccepted(url, request) {
  const response = await fetch(url, request).catch(() => null);
  await response?.text();
  if (response !== null && response.status !== 202 && response.status < 500)
    throw new Error(`${url}: ${response.status}`);
  return response?.status === 202;
}
