import { Body, Controller, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Endpoint, RequestOrigin } from '../http/index.js';
import type { Origin, ServiceRequest } from '../http/index.js';
import { ConsoleCookie } from './console-cookie.js';
import { ConsoleHeader, ConsoleRequestGuard } from './console-request.guard.js';
import { ConsoleSessions } from './console-sessions.js';
import { ConsoleProjectBody, ConsoleProjectSessionDto } from './dto.js';
import { keptOf, keptProject } from './kept-credential.js';
import { ProjectConsole } from './project-console.js';

@ApiTags('Console')
@ConsoleHeader()
@UseGuards(ConsoleRequestGuard)
@Controller('console/session')
export class ProjectConsoleController {
  constructor(
    private readonly projects: ProjectConsole,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: ConsoleCookie,
  ) {}

  @Endpoint.post('project', {
    access: 'public',
    summary: 'Open a project in the console by its service key',
    description: 'For the pages of the console alone. The cookie keeps the key, sealed, for a reload.',
    response: ConsoleProjectSessionDto,
    errors: ['validation_failed', 'cross_site_request', 'invalid_api_key'],
  })
  async open(
    @Body() { service_key: serviceKey }: ConsoleProjectBody,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleProjectSessionDto> {
    const { sealedKey, shown } = await this.projects.signIn(serviceKey, origin);
    const former = keptOf(this.cookie.read(request));
    if (former?.kind === 'account') await this.sessions.end(former.refreshToken, origin);
    this.cookie.set(reply, keptProject(sealedKey));
    return shown;
  }
}
