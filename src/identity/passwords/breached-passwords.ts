import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter } from 'prom-client';
import { createHash } from 'node:crypto';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { OutboundClient } from '../../platform/outbound/index.js';

export const BREACHED_PASSWORD_CHECKS = 'service_breached_password_checks_total';

/** Digits of the SHA-1 that leave the program; some thousand passwords share them. */
const PREFIX_DIGITS = 5;

/**
 * Looks new passwords up in a range API of k-anonymity, as Pwned Passwords has it: the server learns the first five
 * digits of a SHA-1 and answers with all that it knows of this beginning. Where it does not answer, the password passes:
 * nobody is kept out because somebody else's service is down.
 */
@Injectable()
export class BreachedPasswords {
  private readonly logger = new Logger(BreachedPasswords.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outbound: OutboundClient,
    @InjectMetric(BREACHED_PASSWORD_CHECKS) private readonly checks: Counter,
  ) {}

  /** False where no address is configured, or it does not answer in time. */
  async has(password: string): Promise<boolean> {
    const { breachedPasswordsUrl } = this.config.identity;
    if (breachedPasswordsUrl === null) return false;
    const isBreached = await this.lookUp(breachedPasswordsUrl, password).catch((error: unknown) => {
      this.logger.warn(error, 'the check for breached passwords failed; the password was accepted');
      return null;
    });
    this.checks.inc({ outcome: isBreached === null ? 'failed' : isBreached ? 'breached' : 'passed' });
    return isBreached === true;
  }

  private async lookUp(url: string, password: string): Promise<boolean> {
    const digest = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
    const { status, body, fault } = await this.outbound.get({
      url: `${url}/${digest.slice(0, PREFIX_DIGITS)}`,
      // As many lines for every beginning, so that the length of the answer does not tell it.
      headers: { 'Add-Padding': 'true', 'User-Agent': 'service' },
      timeoutMs: this.config.timing.identity.breachedPasswordsLimitMs,
    });
    if (status !== 200 || fault !== null) throw new Error(`status ${status}, ${fault ?? 'no fault'}`);
    const rest = digest.slice(PREFIX_DIGITS);
    return body
      .toString('latin1')
      .split('\n')
      .some((line) => {
        const [suffix = '', count = ''] = line.trim().split(':');
        // Padding has a count of 0.
        return suffix.toUpperCase() === rest && Number(count) > 0;
      });
  }
}
