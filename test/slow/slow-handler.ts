import { setTimeout as wait } from 'node:timers/promises';
import { answer } from '../support/handler-server.js';
import type { Behaviour } from '../support/handler-server.js';

/** Takes this long before it answers 200. */
export function slow(milliseconds: number): Behaviour {
  return (response, nth, call) => {
    void wait(milliseconds).then(() => {
      answer(200, { ok: true })(response, nth, call);
    });
  };
}
