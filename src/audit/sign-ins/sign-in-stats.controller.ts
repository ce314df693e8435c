import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../http/index.js';
import { SignInStatsPointDto, SignInStatsQuery, toSignInPointDto } from './dto/sign-in-stats.js';
import { SignInStats } from './sign-in-stats.js';

@ApiTags('Operator')
@Controller('admin/v1/sign-ins/stats')
export class SignInStatsController {
  constructor(private readonly stats: SignInStats) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'How many people signed up, signed in and were refused, by interval',
    description:
      'Of the whole deployment, two seconds old at most. One point for each interval, also where nobody signed in. The ' +
      'figures are kept for 400 days. A process that dies loses what it counted in its last two seconds; the audit ' +
      'trail has each sign-in.',
    response: [SignInStatsPointDto],
    errors: ['validation_failed'],
  })
  async list(@Query() query: SignInStatsQuery): Promise<SignInStatsPointDto[]> {
    return (await this.stats.series(query.interval, query)).map(toSignInPointDto);
  }
}
