import { Injectable, Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity/index.js';
import { ServiceError } from '../http/index.js';
import { ConsoleCookie } from './sessions/console-cookie.js';
import { ConsoleProfile } from './sessions/console-profile.js';
import { ConsoleRequestGuard } from './sessions/console-request.guard.js';
import { ConsoleOptionsController, ConsoleSessionController } from './sessions/console-session.controller.js';
import { ConsoleSessions } from './sessions/console-sessions.js';

/** Members and operators sign in, all by an account. */
@Injectable()
export class OrganizationConsole extends ConsoleProfile {
  readonly name = 'organization';
  readonly hasMembers = true;

  openProject(): never {
    throw new ServiceError('invalid_refresh_token');
  }
}

/** The routes of the console's session in the organization profile. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [ConsoleOptionsController, ConsoleSessionController],
  providers: [
    ConsoleCookie,
    ConsoleRequestGuard,
    ConsoleSessions,
    { provide: ConsoleProfile, useClass: OrganizationConsole },
  ],
})
export class OrganizationConsoleModule {}
