import type { CallOptions, Verb } from '../http/call.js';
import type { HookAccepted } from '../shapes.js';
import type { SharedApi } from './apis.js';

const HOOK = '/jobs/v1/hooks/{name}';

export interface HookCall extends CallOptions {
  readonly method?: Verb | undefined;
  /** Among others, the signature of the body that the hook requires. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent unchanged, because this is what was signed. */
  readonly body?: string | undefined;
}

/** Calls webhooks of jobs without credentials: the body's signature authenticates the caller. */
export class Hooks {
  constructor(private readonly api: SharedApi) {}

  async call(name: string, { method = 'POST', headers, body, signal }: HookCall = {}): Promise<HookAccepted> {
    const input = { parameters: { name }, headers, signal, as: 'nobody', raw: body, once: true } as const;
    switch (method) {
      case 'GET':
        return await this.api.get(HOOK, input);
      case 'PUT':
        return await this.api.put(HOOK, input);
      case 'PATCH':
        return await this.api.patch(HOOK, input);
      case 'DELETE':
        return await this.api.delete(HOOK, input);
      case 'POST':
        return await this.api.post(HOOK, input);
    }
  }
}
