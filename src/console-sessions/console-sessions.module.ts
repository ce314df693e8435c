import { Injectable, Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity/index.js';
import { ServiceError } from '../http/index.js';
import { ConsoleCookie } from './console-cookie.js';
import { ConsoleProfile } from './console-profile.js';
import { ConsoleRequestGuard } from './console-request.guard.js';
import { ConsoleOptionsController, ConsoleSessionController } from './console-session.controller.js';
import { ConsoleSessions } from './console-sessions.js';
import { ConsoleSignIns } from './console-sign-ins.js';
import { ProjectConsole } from './project-console.js';
import { ProjectConsoleController } from './project-console.controller.js';

const CONTROLLERS = [ConsoleOptionsController, ConsoleSessionController];
const PROVIDERS = [ConsoleCookie, ConsoleRequestGuard, ConsoleSessions, ConsoleSignIns];

/** Members and operators sign in, each with an account. */
@Injectable()
export class OrganizationConsole extends ConsoleProfile {
  readonly name = 'organization';
  readonly hasMembers = true;

  openProject(): never {
    throw new ServiceError('invalid_refresh_token');
  }
}

/** The routes of console sessions in the organization profile. */
@Module({
  imports: [IdentityCoreModule],
  controllers: CONTROLLERS,
  providers: [...PROVIDERS, { provide: ConsoleProfile, useClass: OrganizationConsole }],
})
export class OrganizationConsoleSessionsModule {}

/** The same in the project profile, where the service key of a project also opens a session. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [...CONTROLLERS, ProjectConsoleController],
  providers: [...PROVIDERS, ProjectConsole, { provide: ConsoleProfile, useExisting: ProjectConsole }],
})
export class ProjectConsoleSessionsModule {}
