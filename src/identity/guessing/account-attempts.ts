import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { sha256 } from '../../platform/crypto/index.js';
import { rateKeyOf } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { rateLimited, RateReport, Rates } from '../../limits/index.js';
import type { RateState } from '../../limits/index.js';
import { overloaded } from '../passwords/hash-queue.js';
import type { RealmId } from '../users/user.repository.js';
import { KnownAddresses } from './known-addresses.js';

/** How many times an attempt checks at most whether others have ended. */
const OPEN_POLLS = 60;

/** The account that somebody tries to prove, by its address, whether or not the address has an account. */
export interface GuessedAccount {
  readonly realmId: RealmId;
  readonly email: string;
}

/** The hashed account and the client address of an attempt, the key of both, and who is told what is left. */
interface Guess {
  readonly account: string;
  readonly address: string;
  readonly key: string;
  readonly origin: Origin;
}

/** One attempt at proving an account. Call `requireAllowed` and `count` before the check, and exactly one of the others after it. */
export class AccountAttempt {
  private isCounted = false;

  constructor(
    private readonly attempts: AccountAttempts,
    private readonly guess: Guess,
  ) {}

  /** Refuses, at little cost, what `count` would refuse. @throws rate_limited */
  async requireAllowed(): Promise<void> {
    await this.attempts.requireAllowed(this.guess);
  }

  /** Counts the attempt as failed until it has succeeded. @throws rate_limited, overloaded */
  async count(): Promise<void> {
    await this.attempts.count(this.guess);
    this.isCounted = true;
  }

  failed(): void {
    this.attempts.close(this.guess.key);
  }

  async succeeded(): Promise<void> {
    await this.attempts.succeed(this.guess);
  }

  /** The attempt was not checked after all, whether it was counted or not. */
  async withdraw(): Promise<void> {
    if (this.isCounted) await this.attempts.withdraw(this.guess);
  }
}

/**
 * Limits guesses at an account, by whatever method: 10 failures in 15 minutes from one client address, 100 in an hour
 * from all. Unknown addresses are counted in the same way. An attempt is counted before it is checked, so that no
 * number of simultaneous attempts exceeds the limit; a success takes its count back and clears earlier failures from
 * the same address.
 *
 * The first limit belongs to the account and also counts loopback clients. The second limit exempts addresses from
 * which the account was signed in to recently: a stranger with many addresses must not lock out its owner. Responses
 * do not report what is left of it, because that would reveal that somebody else tries the account.
 */
@Injectable()
export class AccountAttempts {
  /** Attempts of this instance that are being counted or checked, by account and address. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly rates: Rates,
    private readonly known: KnownAddresses,
    private readonly report: RateReport,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  begin({ realmId, email }: GuessedAccount, origin: Origin): AccountAttempt {
    const account = sha256(`${realmId}:${email}`).toString('base64url').slice(0, 22);
    const address = rateKeyOf(origin.ip);
    return new AccountAttempt(this, { account, address, key: `${account}:${address}`, origin });
  }

  async requireAllowed({ account, address, key, origin }: Guess): Promise<void> {
    const { signInFailures, signInFailuresHourly } = this.rates;
    const [own, hourly] = await Promise.all([
      signInFailures.isOn ? signInFailures.peek(key) : null,
      signInFailuresHourly.isOn ? signInFailuresHourly.peek(account) : null,
    ]);
    // Nothing is left, and no open attempt can give any back.
    if (own?.remaining === 0 && !this.open.has(key)) this.refuse(origin, own);
    if (hourly?.remaining === 0 && !(await this.known.has(account, address))) throw rateLimited(hourly);
  }

  async count({ account, address, key, origin }: Guess): Promise<void> {
    const { signInFailuresHourly } = this.rates;
    const [hourly] = await Promise.all([
      signInFailuresHourly.isOn ? signInFailuresHourly.take(account) : null,
      this.takeOwn(key, origin).catch(async (refusal: unknown) => {
        await this.giveBack('signInFailuresHourly', account);
        throw refusal;
      }),
    ]);
    if (hourly?.isOver === true && !(await this.known.has(account, address))) {
      this.close(key);
      await this.giveBack('signInFailures', key);
      throw rateLimited(hourly);
    }
  }

  /**
   * When as many attempts are open as may fail, the next one waits for their outcome: a program that signs in many times
   * simultaneously with the right password does not guess.
   */
  private async takeOwn(key: string, origin: Origin): Promise<void> {
    const { signInFailures } = this.rates;
    if (!signInFailures.isOn) return;
    for (let poll = 0; poll <= OPEN_POLLS; poll += 1) {
      this.open.set(key, (this.open.get(key) ?? 0) + 1);
      const state = await signInFailures.take(key);
      if (!state.isOver) {
        this.report.add(origin, state);
        return;
      }
      this.close(key);
      if (!this.open.has(key)) this.refuse(origin, state);
      await signInFailures.undo(key);
      await wait(this.config.timing.identity.attemptPollMs);
    }
    throw overloaded();
  }

  private refuse(origin: Origin, state: RateState): never {
    this.report.add(origin, state);
    throw rateLimited(state);
  }

  async succeed({ account, address, key, origin }: Guess): Promise<void> {
    this.close(key);
    const { signInFailures, signInFailuresHourly } = this.rates;
    await Promise.all([
      signInFailures.isOn ? signInFailures.clear(key) : null,
      this.giveBack('signInFailuresHourly', account),
      signInFailuresHourly.isOn ? this.known.remember(account, address) : null,
    ]);
    if (signInFailures.isOn) this.report.add(origin, signInFailures.unused());
  }

  async withdraw({ account, key }: Guess): Promise<void> {
    this.close(key);
    await Promise.all([this.giveBack('signInFailures', key), this.giveBack('signInFailuresHourly', account)]);
  }

  private async giveBack(name: 'signInFailures' | 'signInFailuresHourly', key: string): Promise<void> {
    if (this.rates[name].isOn) await this.rates[name].undo(key);
  }

  close(key: string): void {
    const open = (this.open.get(key) ?? 0) - 1;
    if (open > 0) this.open.set(key, open);
    else this.open.delete(key);
  }
}
