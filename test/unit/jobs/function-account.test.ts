import { FunctionAccounts } from '../../../src/jobs/invoker/function-host/confinement/function-account.js';

const IDS = 65_519 - 61_184 + 1;

describe('the users that functions run as', () => {
  it('are different for each process, and starting fails when none is free', async () => {
    const accounts = await FunctionAccounts.choose();
    if (accounts === null) return;
    const taken = new Map<number, ReturnType<FunctionAccounts['take']>>();
    expect(() => {
      for (let tries = 0; tries <= IDS; tries += 1) {
        const account = accounts.take();
        expect(taken.has(account.uid)).toBe(false);
        taken.set(account.uid, account);
      }
    }).toThrow('no user id from 61184 to 65519 is free');
    const [first] = [...taken.values()];
    if (first === undefined) throw new Error('no account was given');
    accounts.release(first);
    expect(accounts.take()).toEqual(first);
  });
});
