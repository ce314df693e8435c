import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { sha256 } from '../../platform/crypto/index.js';
import { rateKeyOf } from '../../http/index.js';
import type { Origin } from '../../http/index.js';
import { rateLimited, RateReport, Rates } from '../../limits/index.js';
import type { RateState } from '../../limits/index.js';
import { overloaded } from '../passwords/hash-queue.js';
import type { RealmId } from '../users/user.repository.js';
import { KnownAddresses } from './known-addresses.js';

/** How often, and how long, an attempt waits for others whose outcome is open. */
const OPEN_POLL_MS = 50;
const OPEN_POLLS = 60;

/** What is guessed at: by its address, whether it has an account or not. */
export interface GuessedAccount {
  readonly realmId: RealmId;
  readonly email: string;
}

/** One attempt at proving an account. `admit` goes before the check, and exactly one of the others after it. */
export interface AccountAttempt {
  /** Refuses, at little cost, what `admit` would refuse. @throws rate_limited */
  readonly look: () => Promise<void>;
  /** Counts the attempt as failed until it has succeeded. @throws rate_limited, overloaded */
  readonly admit: () => Promise<void>;
  readonly failed: () => void;
  readonly succeeded: () => Promise<void>;
  /** It was not checked after all, admitted or not. */
  readonly withdraw: () => Promise<void>;
}

/**
 * Bounds the guesses at an account, whatever is guessed: 10 failures in 15 minutes from one client address, 100 in an
 * hour from all. Unknown addresses are counted alike. An attempt is counted before it is checked, so that no number
 * of simultaneous ones exceeds the limit; a success takes its count back and clears what failed before from there.
 *
 * The first limit is the account's own and counts loopback clients, too. The second does not keep out those who
 * signed in to the account lately from where they are: a stranger with many addresses must not shut out its owner.
 * What is left of it is told to nobody, since it would tell who else tries the address.
 */
@Injectable()
export class AccountAttempts {
  /** Attempts of this instance that are being counted or checked, by account and address. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly rates: Rates,
    private readonly known: KnownAddresses,
    private readonly report: RateReport,
  ) {}

  begin({ realmId, email }: GuessedAccount, { ip }: Origin): AccountAttempt {
    const account = sha256(`${realmId}:${email}`).toString('base64url').slice(0, 22);
    const address = rateKeyOf(ip);
    const key = `${account}:${address}`;
    let isAdmitted = false;
    return {
      look: () => this.look(account, address, key),
      admit: async () => {
        await this.admit(account, address, key);
        isAdmitted = true;
      },
      failed: () => {
        this.close(key);
      },
      succeeded: async () => {
        this.close(key);
        await this.clear(account, address, key);
      },
      withdraw: async () => {
        if (!isAdmitted) return;
        this.close(key);
        await Promise.all([
          this.giveBack('signInFailures', key),
          this.giveBack('signInFailuresHourly', account),
        ]);
      },
    };
  }

  private async look(account: string, address: string, key: string): Promise<void> {
    const { signInFailures, signInFailuresHourly } = this.rates;
    const [own, hourly] = await Promise.all([
      signInFailures.isOn ? signInFailures.peek(key) : null,
      signInFailuresHourly.isOn ? signInFailuresHourly.peek(account) : null,
    ]);
    // Nothing is left, and nothing that is open can give any back.
    if (own?.remaining === 0 && !this.open.has(key)) this.refuse(own);
    if (hourly?.remaining === 0 && !(await this.known.has(account, address))) throw rateLimited(hourly);
  }

  private async admit(account: string, address: string, key: string): Promise<void> {
    const { signInFailuresHourly } = this.rates;
    const [hourly] = await Promise.all([
      signInFailuresHourly.isOn ? signInFailuresHourly.take(account) : null,
      this.takeOwn(key).catch(async (refusal: unknown) => {
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
   * With as many open attempts as may fail, the next one waits for their outcome: a program that signs in many times
   * at once with the right password is none that guesses.
   */
  private async takeOwn(key: string): Promise<void> {
    const { signInFailures } = this.rates;
    if (!signInFailures.isOn) return;
    for (let poll = 0; poll <= OPEN_POLLS; poll += 1) {
      this.open.set(key, (this.open.get(key) ?? 0) + 1);
      const standing = await signInFailures.take(key);
      if (!standing.isOver) {
        this.report.add(standing);
        return;
      }
      this.close(key);
      if (!this.open.has(key)) this.refuse(standing);
      await signInFailures.undo(key);
      await wait(OPEN_POLL_MS);
    }
    throw overloaded();
  }

  private refuse(standing: RateState): never {
    this.report.add(standing);
    throw rateLimited(standing);
  }

  private async clear(account: string, address: string, key: string): Promise<void> {
    const { signInFailures, signInFailuresHourly } = this.rates;
    await Promise.all([
      signInFailures.isOn ? signInFailures.clear(key) : null,
      this.giveBack('signInFailuresHourly', account),
      signInFailuresHourly.isOn ? this.known.remember(account, address) : null,
    ]);
    if (signInFailures.isOn) this.report.add(signInFailures.unused());
  }

  private async giveBack(name: 'signInFailures' | 'signInFailuresHourly', key: string): Promise<void> {
    if (this.rates[name].isOn) await this.rates[name].undo(key);
  }

  private close(key: string): void {
    const open = (this.open.get(key) ?? 0) - 1;
    if (open > 0) this.open.set(key, open);
    else this.open.delete(key);
  }
}
