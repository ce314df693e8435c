import { ApiProperty } from '@nestjs/swagger';
import { EnumField, TimeSeriesQuery } from '../../../http/index.js';
import { SIGN_IN_INTERVALS } from '../sign-in-stats.js';
import type { SignInInterval } from '../sign-in-stats.js';
import type { SignInPart } from '../sign-in-stats.repository.js';

export class SignInStatsQuery extends TimeSeriesQuery {
  @EnumField(SIGN_IN_INTERVALS, {
    optional: true,
    default: '5m',
    description: 'The length of an interval, in UTC.',
  })
  interval: SignInInterval = '5m';
}

export class SignInStatsPointDto {
  @ApiProperty({ format: 'date-time', description: 'The start of the interval.' })
  at!: string;

  @ApiProperty({ type: 'integer', example: 3, description: 'Accounts that were created by signing up.' })
  signed_up!: number;

  @ApiProperty({
    type: 'integer',
    example: 64,
    description: 'Sign-ins by password, magic link or recovery that succeeded. A refresh is none.',
  })
  signed_in!: number;

  @ApiProperty({
    type: 'integer',
    example: 5,
    description: 'Sign-ins that were refused: a wrong password, a link that is not valid, a locked account.',
  })
  refused!: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Sign-ins without an answer: too many at once, an overloaded program, an internal error.',
  })
  unanswered!: number;
}

export function toSignInPointDto(part: SignInPart): SignInStatsPointDto {
  const { at, signedUp, signedIn, refused, unanswered } = part;
  return { at: new Date(at).toISOString(), signed_up: signedUp, signed_in: signedIn, refused, unanswered };
}
