import { Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter } from 'prom-client';
import { ServiceError } from '../http/index.js';
import { SignInCounts } from './sign-ins/sign-in-counts.js';

export const AUTH_EVENTS = 'service_auth_events_total';

export type AuthEvent =
  | 'sign_up'
  | 'sign_in'
  | 'refresh'
  | 'recovery'
  | 'magic_link'
  | 'invitation'
  | 'token_check'
  | 'operator_token_check'
  | 'hook_signature_check';

/**
 * The outcomes that alerts use. Their series exist with 0 from the start: no rate shows the first increase of a series
 * that did not exist at the scrape before.
 */
const KNOWN_OUTCOMES: Readonly<Record<AuthEvent, readonly string[]>> = {
  sign_up: ['success', 'email_taken', 'rate_limited'],
  sign_in: ['success', 'invalid_credentials', 'rate_limited', 'overloaded'],
  refresh: ['success', 'invalid_refresh_token', 'refresh_token_reused', 'session_revoked'],
  recovery: ['success', 'invalid_token'],
  magic_link: ['success', 'invalid_token'],
  invitation: ['success', 'invalid_token'],
  token_check: ['unauthenticated', 'invalid_access_token', 'invalid_api_key'],
  operator_token_check: ['invalid_admin_token', 'second_factor_required'],
  hook_signature_check: ['invalid_signature'],
};

@Injectable()
export class AuthMetrics {
  constructor(
    @InjectMetric(AUTH_EVENTS) private readonly events: Counter,
    private readonly signIns: SignInCounts,
  ) {
    for (const [event, outcomes] of Object.entries(KNOWN_OUTCOMES)) {
      for (const outcome of outcomes) events.inc({ event, outcome }, 0);
    }
  }

  /** Counts the outcome of the work: `success`, or the code of its refusal. */
  async counted<Result>(event: AuthEvent, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.record(event, 'success');
      return result;
    } catch (error) {
      this.record(event, error instanceof ServiceError ? error.code : 'internal_error');
      throw error;
    }
  }

  /** @param outcome `success`, or the code of the refusal */
  record(event: AuthEvent, outcome: string): void {
    this.events.inc({ event, outcome });
    this.signIns.add(event, outcome);
  }
}
