import { ApiProperty } from '@nestjs/swagger';
import { EnumField, InstantField, PageQuery } from '../../../http/index.js';
import { AddressSearchField } from './address-search-field.js';
import type { MailFilter, ListedMail, MailState } from '../../mail-outbox/mail-list.js';
import type { MailKind } from '../../mail-outbox/outgoing-mail.repository.js';
import { DEPLOYMENT_REALM, OPERATOR_REALM } from '../../users/user.repository.js';

const STATES = ['waiting', 'sent', 'failed'] as const;
const KINDS = [
  'verification',
  'recovery',
  'magic_link',
  'password_set',
  'password_removed',
  'factor_added',
  'factor_removed',
  'factors_reset',
  'email_change',
  'email_change_requested',
  'email_changed',
  'invitation',
] as const;
const STATUS = /^(\d{3})\b/;

export const RETRY_MAIL =
  'A mail that waits is due now, unless it is being sent. For one that was sent or failed, a new mail of the same kind ' +
  'is sent, with a new link, within the limits on mails; the response is the new mail. Invitations and mails of a change ' +
  'of address are refused; the hint says what to do instead.';

export const RETRY_ERRORS = [
  'mail_not_found',
  'mail_not_repeatable',
  'mail_not_configured',
  'user_disabled',
  'email_already_verified',
  'rate_limited',
] as const;

export class MailQuery extends PageQuery {
  @EnumField(STATES, { optional: true })
  state?: MailState;

  @AddressSearchField("The recipient's address, or how it begins.")
  to?: string;

  @InstantField({ optional: true, description: 'Requested at this instant or later.' })
  since?: string;

  @InstantField({ optional: true, description: 'Requested before this instant.' })
  until?: string;
}

export function filterOf({ state, to, since, until }: MailQuery): Omit<MailFilter, 'realmId'> {
  return {
    id: null,
    state: state ?? null,
    to: to ?? null,
    since: since === undefined ? null : new Date(since),
    until: until === undefined ? null : new Date(until),
  };
}

export class MailDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'In profile project, the project whose mail server sends it.',
  })
  project_id!: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null for an address without an account, to which only invitations are sent.',
  })
  user_id!: string | null;

  @ApiProperty({ type: String, description: "The recipient's address." })
  to!: string;

  @ApiProperty({ enum: KINDS })
  kind!: MailKind;

  @ApiProperty({
    enum: STATES,
    description: '`sent`: the mail server has accepted it. `failed`: it was given up.',
  })
  state!: MailState;

  @ApiProperty({ type: 'integer', description: 'Attempts so far, one under way included.' })
  attempts!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The SMTP code of the answer.',
    example: 550,
  })
  smtp_code!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the mail server answered last, code included. Links are replaced by `[link]`.',
    example: '550 5.1.1 no such mailbox',
  })
  answer!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the latest attempt failed, also where the mail server did not answer.',
    example: 'ESOCKET',
  })
  error!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was sent or given up.',
  })
  finished_at!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null when it is finished, or being sent now.',
  })
  next_attempt_at!: string | null;
}

export function toMailDto(mail: ListedMail): MailDto {
  const { id, realmId, userId, recipient, kind, state, attempts, answer, reason } = mail;
  const status = STATUS.exec(answer ?? '')?.[1];
  return {
    id,
    project_id: realmId === DEPLOYMENT_REALM || realmId === OPERATOR_REALM ? null : realmId,
    user_id: userId,
    to: recipient,
    kind,
    state,
    attempts,
    smtp_code: status === undefined ? null : Number(status),
    answer,
    error: reason,
    created_at: mail.createdAt.toISOString(),
    finished_at: mail.finishedAt?.toISOString() ?? null,
    next_attempt_at: mail.nextAttemptAt?.toISOString() ?? null,
  };
}
