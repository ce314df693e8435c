import { Body, Controller, Inject, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Endpoint, RequestOrigin, ServiceError, VERSION } from '../http/index.js';
import type { Origin, ServiceRequest } from '../http/index.js';
import {
  OperatorSetup,
  PasskeyGrant,
  PasskeySignInOptionsDto,
  PasswordGrant,
  SecondFactorGrant,
  toPasskeySignInOptionsDto,
} from '../identity/index.js';
import type { TokenPair } from '../identity/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { Mail } from '../platform/mail/index.js';
import { ConsoleCookie } from './console-cookie.js';
import { ConsoleProfile } from './console-profile.js';
import { ConsoleHeader, ConsoleRequestGuard } from './console-request.guard.js';
import { ConsoleSessions } from './console-sessions.js';
import type { AccountSession } from './console-sessions.js';
import { ConsoleSignIns } from './console-sign-ins.js';
import { ConsoleOptionsDto, ConsoleRefreshedDto, ConsoleSessionDto, ConsoleSetupBody } from './dto.js';
import { keptOf, keptAccount } from './kept-credential.js';

@ApiTags('Console')
@Controller('console/session')
export class ConsoleOptionsController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly profile: ConsoleProfile,
    private readonly setup: OperatorSetup,
    private readonly mail: Mail,
  ) {}

  @Endpoint.get('options', {
    access: 'public',
    summary: 'How one signs in to the console',
    response: ConsoleOptionsDto,
  })
  async show(): Promise<ConsoleOptionsDto> {
    return {
      profile: this.profile.name,
      setup_required: await this.setup.isOpen(),
      sign_up: this.profile.hasMembers ? this.config.identity.signUp : 'closed',
      password_min_length: this.config.identity.passwordMinLength,
      mail_configured: this.mail.isConfigured,
      version: VERSION,
    };
  }
}

@ApiTags('Console')
@ConsoleHeader()
@UseGuards(ConsoleRequestGuard)
@Controller('console/session')
export class ConsoleSessionController {
  constructor(
    private readonly profile: ConsoleProfile,
    private readonly signIns: ConsoleSignIns,
    private readonly sessions: ConsoleSessions,
    private readonly cookie: ConsoleCookie,
  ) {}

  @Endpoint.post('', {
    access: 'public',
    summary: 'Sign in to the console by password',
    description:
      'For the pages of the console alone. A cookie that no script can read keeps the refresh token. Where users ' +
      'belong to projects, the account is that of an operator.',
    response: ConsoleSessionDto,
    errors: [
      'validation_failed',
      'cross_site_request',
      'invalid_credentials',
      'second_factor_required',
      'overloaded',
    ],
  })
  async signIn(
    @Body() body: PasswordGrant,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleSessionDto> {
    return await this.replace(request, reply, await this.signIns.byPassword(body, origin), origin);
  }

  @Endpoint.post('second-factor', {
    access: 'public',
    summary: 'Complete a sign-in to the console by a second factor',
    response: ConsoleSessionDto,
    errors: [
      'validation_failed',
      'cross_site_request',
      'invalid_challenge',
      'invalid_second_factor',
      'overloaded',
    ],
  })
  async completeSignIn(
    @Body() body: SecondFactorGrant,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleSessionDto> {
    return await this.replace(request, reply, await this.signIns.bySecondFactor(body, origin), origin);
  }

  @Endpoint.post('passkey/options', {
    access: 'public',
    summary: 'Begin to sign in to the console by a passkey',
    response: PasskeySignInOptionsDto,
    errors: ['cross_site_request'],
  })
  async passkeyOptions(): Promise<PasskeySignInOptionsDto> {
    return toPasskeySignInOptionsDto(await this.signIns.passkeyOptions());
  }

  @Endpoint.post('passkey', {
    access: 'public',
    summary: 'Sign in to the console by a passkey alone',
    description: 'Of an account of the console, used on the origin of the console.',
    response: ConsoleSessionDto,
    errors: ['validation_failed', 'cross_site_request', 'invalid_challenge', 'invalid_passkey', 'overloaded'],
  })
  async signInByPasskey(
    @Body() body: PasskeyGrant,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleSessionDto> {
    return await this.replace(request, reply, await this.signIns.byPasskey(body, origin), origin);
  }

  @Endpoint.post('setup', {
    access: 'public',
    summary: 'Create the first operator and sign in to the console',
    description:
      'With the code that `npm start` shows while there is no operator and the deployment has its own database. An ' +
      'address that has an account takes the password of that account.',
    response: ConsoleSessionDto,
    errors: [
      'validation_failed',
      'weak_password',
      'cross_site_request',
      'setup_closed',
      'invalid_setup_code',
      'rate_limited',
      'invalid_credentials',
      'second_factor_required',
      'overloaded',
    ],
  })
  async setUp(
    @Body() { code, email, password }: ConsoleSetupBody,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleSessionDto> {
    return await this.replace(
      request,
      reply,
      await this.signIns.bySetupCode(code, { email, password }, origin),
      origin,
    );
  }

  @Endpoint.post('refresh', {
    access: 'public',
    summary: "Renew the console's session by its cookie",
    description:
      'Two tabs may do so at once, and an answer may get lost: within 30 seconds the cookie of before renews the ' +
      'session once more. A session of a project answers its service key.',
    response: ConsoleRefreshedDto,
    errors: [
      'cross_site_request',
      'invalid_refresh_token',
      'refresh_token_reused',
      'session_revoked',
      'invalid_api_key',
    ],
  })
  async refresh(
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<ConsoleRefreshedDto> {
    const kept = keptOf(this.cookie.read(request));
    // A refusal does not clear the cookie: another tab may just have received a new one.
    if (kept === null) throw new ServiceError('invalid_refresh_token');
    if (kept.kind === 'project') return await this.profile.openProject(kept.sealedKey);
    return this.keep(reply, await this.sessions.refresh(kept.refreshToken, origin));
  }

  @Endpoint.delete('', {
    access: 'public',
    summary: 'Sign out of the console',
    status: 204,
    errors: ['cross_site_request'],
  })
  async signOut(
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.endFormer(request, origin);
    this.cookie.clear(reply);
  }

  /** The session of a sign-in replaces the one that the browser had. */
  private async replace(
    request: ServiceRequest,
    reply: FastifyReply,
    pair: TokenPair,
    origin: Origin,
  ): Promise<ConsoleSessionDto> {
    const session = await this.sessions.shown(pair);
    await this.endFormer(request, origin);
    return this.keep(reply, session);
  }

  private keep(reply: FastifyReply, { refreshToken, shown }: AccountSession): ConsoleSessionDto {
    this.cookie.set(reply, keptAccount(refreshToken));
    return shown;
  }

  private async endFormer(request: ServiceRequest, origin: Origin): Promise<void> {
    const kept = keptOf(this.cookie.read(request));
    if (kept?.kind === 'account') await this.sessions.end(kept.refreshToken, origin);
  }
}
