import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '../http/index.js';
import { PasswordGrant, toUserDto, UserDto } from '../identity/index.js';
import type { OperatorAccess, TokenPair } from '../identity/index.js';

export class ConsoleOptionsDto {
  @ApiProperty({ enum: ['organization', 'project'] })
  profile!: 'organization' | 'project';

  @ApiProperty({
    description: 'Whether the setup code that the program showed when it started makes the first operator.',
  })
  setup_required!: boolean;

  @ApiProperty({ enum: ['open', 'invited', 'closed'], description: 'Who may create an account.' })
  sign_up!: 'open' | 'invited' | 'closed';

  @ApiProperty({ type: 'integer', example: 8, description: 'Characters that a new password has at least.' })
  password_min_length!: number;

  @ApiProperty({
    description: 'Whether the deployment has a mail server; without one, invitations are links.',
  })
  mail_configured!: boolean;

  @ApiProperty({ example: '0.1.0' })
  version!: string;
}

export class ConsoleSessionDto {
  @ApiProperty({ enum: ['account'] })
  kind!: 'account';

  @ApiProperty({ description: 'Send it as `Authorization: Bearer …`; keep it in memory alone.' })
  access_token!: string;

  @ApiProperty({ type: 'integer', example: 3600, description: 'Life of the access token, seconds.' })
  expires_in!: number;

  @ApiProperty()
  user!: UserDto;

  @ApiProperty({
    type: String,
    enum: ['full', 'read_only', null],
    nullable: true,
    description: 'What the account may do as an operator of the deployment; null for any other account.',
  })
  operator!: OperatorAccess | null;

  @ApiProperty({
    description:
      "Whether the account, an operator's, must add a second factor before it may do that: `POST /auth/v1/factors/totp`.",
  })
  factor_required!: boolean;
}

export function toConsoleSessionDto(pair: TokenPair, operator: OperatorAccess | null): ConsoleSessionDto {
  return {
    kind: 'account',
    access_token: pair.accessToken.token,
    expires_in: pair.accessToken.expiresInSecs,
    user: toUserDto(pair.user),
    operator,
    factor_required: operator !== null && !pair.user.secondFactor,
  };
}

export class ConsoleProjectDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'initech' })
  ref!: string;

  @ApiProperty({ example: 'Initech' })
  name!: string;
}

export class ConsoleProjectSessionDto {
  @ApiProperty({ enum: ['project'] })
  kind!: 'project';

  @ApiProperty()
  project!: ConsoleProjectDto;

  @ApiProperty({ description: 'The service key; keep it in memory alone.' })
  service_key!: string;
}

/** A session of either kind, as a refresh returns it. `kind` says which fields it has. */
export class ConsoleRefreshedDto {
  @ApiProperty({ enum: ['account', 'project'] })
  kind!: 'account' | 'project';

  @ApiPropertyOptional()
  access_token?: string;

  @ApiPropertyOptional({ type: 'integer' })
  expires_in?: number;

  @ApiPropertyOptional({ type: UserDto })
  user?: UserDto;

  @ApiPropertyOptional({ type: String, enum: ['full', 'read_only', null], nullable: true })
  operator?: OperatorAccess | null;

  @ApiPropertyOptional()
  factor_required?: boolean;

  @ApiPropertyOptional({ type: ConsoleProjectDto })
  project?: ConsoleProjectDto;

  @ApiPropertyOptional()
  service_key?: string;
}

export class ConsoleSetupBody extends PasswordGrant {
  @TextField(1, 64, { example: 'K7QM-2XPD-94TB' })
  code!: string;
}

export class ConsoleProjectBody {
  @TextField(1, 4096, { description: 'The service key of a project.' })
  service_key!: string;
}
