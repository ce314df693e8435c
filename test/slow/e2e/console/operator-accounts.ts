import { PASSWORD } from '../../../support/client.js';
import { createOperatorAccount, nextCodeOf } from '../../../support/operator-account.js';
import type { OperatorAccount, Profile } from '../../../support/operator-account.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { ConsoleCaller } from './console-caller.js';

/** An operator who has signed in to the console. */
export interface SignedInOperator extends OperatorAccount {
  readonly browser: ConsoleCaller;
  readonly accessToken: string;
}

/** Signs in to the console by password and second factor. @returns the access token */
export async function signInOperator(browser: ConsoleCaller, account: OperatorAccount): Promise<string> {
  const refused = await browser.post<{ error?: { challenge?: { token: string } } }>('', {
    email: account.email,
    password: PASSWORD,
  });
  const { status, body } = await browser.post('/second-factor', {
    challenge_token: refused.body.error?.challenge?.token,
    recovery_code: nextCodeOf(account),
  });
  if (status !== 200) throw new Error(`the operator cannot sign in: ${status} ${JSON.stringify(body)}`);
  return body.access_token;
}

export async function createOperator(
  { url, database }: Pick<SharedProgram, 'url' | 'database'>,
  profile: Profile,
  access: 'full' | 'read_only' = 'full',
): Promise<SignedInOperator> {
  const account = await createOperatorAccount(database, profile, access);
  const browser = new ConsoleCaller(url);
  return { ...account, browser, accessToken: await signInOperator(browser, account) };
}
