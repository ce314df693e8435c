import { TOTP } from 'otpauth';
import type { Answer, Client } from './client.js';

const STEP_MS = 30_000;

/** An active second factor, with its authenticator. */
export interface AddedFactor {
  readonly id: string;
  readonly totp: TOTP;
  readonly recoveryCodes: readonly string[];
}

/** Adds an authenticator to the caller's account. The code of the current time step remains usable. */
export async function addFactor(client: Client): Promise<AddedFactor> {
  const begun = await client.post<{ id: string; secret: string }>('/auth/v1/factors/totp', { name: 'Phone' });
  if (begun.status !== 201) throw new Error(`adding a factor answered ${JSON.stringify(begun.body)}`);
  const { id, secret } = begun.body;
  const totp = new TOTP({ secret });
  const confirm = (): Promise<Answer<{ recovery_codes?: string[] }>> =>
    client.post(`/auth/v1/factors/totp/${id}/confirm`, {
      code: totp.generate({ timestamp: Date.now() - STEP_MS }),
    });
  let confirmed = await confirm();
  // A time step may have ended meanwhile, and the code of the previous one with it.
  if (confirmed.status === 401) confirmed = await confirm();
  if (confirmed.status !== 200)
    throw new Error(`confirming a factor answered ${JSON.stringify(confirmed.body)}`);
  return { id, totp, recoveryCodes: confirmed.body.recovery_codes ?? [] };
}
