import { answer } from './handler-server.js';
import type { Behaviour, HandlerCall } from './handler-server.js';

/** Calls that stay unanswered until they are released. */
export class HeldCalls {
  private readonly releases: { readonly call: HandlerCall; readonly end: () => void }[] = [];
  private isOpen = false;

  readonly behaviour: Behaviour = (response, nth, call) => {
    const end = (): void => {
      answer(200, { ok: true })(response, nth, call);
    };
    if (this.isOpen) end();
    else this.releases.push({ call, end });
  };

  /** The number of calls that are waiting. */
  get count(): number {
    return this.releases.length;
  }

  /** Answers the call that has waited longest. */
  releaseOne(): void {
    this.releases.shift()?.end();
  }

  /** Answers all calls, and from now on answers immediately. */
  releaseAll(): void {
    this.isOpen = true;
    for (const { end } of this.releases.splice(0)) end();
  }
}
