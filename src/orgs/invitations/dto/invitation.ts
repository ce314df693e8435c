import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '../../../http/index.js';
import {
  EmailField,
  PasswordField,
  RedirectToField,
  SessionDto,
  toSessionDto,
  toUserDto,
  UserDto,
} from '../../../identity/index.js';
import type { AcceptedInvitation } from '../invitation-acceptance.js';
import type { InvitationStatus } from '../invitation.repository.js';
import type { MadeInvitation } from '../invitations.js';
import { OrganizationDto, toOrganizationDto } from '../../directory/dto/organization.js';

const STATUSES: readonly InvitationStatus[] = ['pending', 'accepted', 'revoked', 'replaced', 'expired'];

export class CreateInvitationBody {
  @EmailField()
  email!: string;

  @TextField(1, 63, { example: 'member', description: 'A role of the organization.' })
  role!: string;

  @RedirectToField()
  redirect_to?: string;
}

export class InvitationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ example: 'member' })
  role!: string;

  @ApiProperty({ enum: STATUSES, example: 'pending' })
  status!: InvitationStatus;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  expires_at!: string;

  @ApiProperty({ description: 'Whether a mail server accepted the mail with the link.' })
  emailed!: boolean;
}

export class CreatedInvitationDto extends InvitationDto {
  @ApiPropertyOptional({
    format: 'uri',
    description: 'If no mail was sent: the link to pass on. Only this response shows it.',
  })
  link?: string;
}

export class AcceptInvitationBody {
  @TextField(1, 512, { description: 'From the link of the invitation.' })
  token!: string;

  @PasswordField({
    optional: true,
    nullable: true,
    description:
      'The new password of the account, if the address has none or the invitation is the first to prove it.',
  })
  password?: string | null;
}

export class AcceptedInvitationDto {
  @ApiProperty()
  user!: UserDto;

  @ApiProperty()
  org!: OrganizationDto;

  @ApiPropertyOptional({
    description:
      'For an account that was created, or whose earlier sessions ended because its address was proven.',
  })
  session?: SessionDto;
}

export function toInvitationDto(invitation: MadeInvitation): CreatedInvitationDto {
  const { id, email, role, status, expiresAt, emailed, link } = invitation;
  return {
    id,
    email,
    role,
    status,
    expires_at: expiresAt.toISOString(),
    emailed,
    ...(link === undefined ? {} : { link }),
  };
}

export function toAcceptedInvitationDto(accepted: AcceptedInvitation): AcceptedInvitationDto {
  const { user, organization, session } = accepted;
  return {
    user: toUserDto(user),
    org: toOrganizationDto(organization),
    ...(session === null ? {} : { session: toSessionDto(session) }),
  };
}
