import { Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter } from 'prom-client';

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

@Injectable()
export class AuthMetrics {
  constructor(@InjectMetric(AUTH_EVENTS) private readonly events: Counter) {}

  /** @param outcome `success`, or the code of the refusal */
  record(event: AuthEvent, outcome: string): void {
    this.events.inc({ event, outcome });
  }
}
