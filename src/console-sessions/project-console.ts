import { Inject, Injectable } from '@nestjs/common';
import { AuthMetrics } from '../audit/index.js';
import { ServiceError } from '../http/index.js';
import type { Origin } from '../http/index.js';
import { CredentialFailures } from '../limits/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { KeyRing, UnsealError } from '../platform/crypto/index.js';
import type { AssociatedData } from '../platform/crypto/index.js';
import { Clock } from '../platform/lifecycle/index.js';
import { ProjectTokens } from '../projects/index.js';
import { ConsoleProfile } from './console-profile.js';
import type { ConsoleProjectSessionDto } from './dto.js';

/** Not a row of any table: the value is in a browser's cookie. */
const ASSOCIATED_DATA: AssociatedData = {
  tenantId: null,
  table: 'console_cookie',
  column: 'service_key',
  row: '-',
};

interface SealedKey {
  readonly key: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** The session of a project as the console receives it, and what the cookie keeps of it. */
export interface ProjectSession {
  readonly sealedKey: string;
  readonly shown: ConsoleProjectSessionDto;
}

/** Operators sign in with an account, holders of a service key with the key. The cookie keeps the key sealed. */
@Injectable()
export class ProjectConsole extends ConsoleProfile {
  readonly name = 'project';
  readonly hasMembers = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: ProjectTokens,
    private readonly keyRing: KeyRing,
    private readonly failures: CredentialFailures,
    private readonly metrics: AuthMetrics,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** @throws invalid_api_key, rate_limited */
  async signIn(serviceKey: string, origin: Origin): Promise<ProjectSession> {
    const shown = await this.sessionOf(serviceKey);
    if (shown === null) {
      this.metrics.record('token_check', 'invalid_api_key');
      await this.failures.count(origin);
      throw new ServiceError('invalid_api_key', { hint: 'Only the service key of a project signs in here.' });
    }
    const exp = this.nowSecs() + this.config.identity.refreshTtlSecs;
    const sealed = this.keyRing.seal(
      JSON.stringify({ key: serviceKey, exp } satisfies SealedKey),
      ASSOCIATED_DATA,
    );
    return { sealedKey: sealed.toString('base64url'), shown };
  }

  async openProject(sealedKey: string): Promise<ConsoleProjectSessionDto> {
    const opened = this.unsealed(sealedKey);
    const shown = opened === null || opened.exp <= this.nowSecs() ? null : await this.sessionOf(opened.key);
    if (shown === null) throw new ServiceError('invalid_api_key');
    return shown;
  }

  private async sessionOf(serviceKey: string): Promise<ConsoleProjectSessionDto | null> {
    const verified = await this.tokens.verifyProjectToken(serviceKey);
    if (verified?.caller.type !== 'project_key' || verified.caller.role !== 'service_role') return null;
    const { id, ref, name } = verified.project;
    return { kind: 'project', project: { id, ref, name }, service_key: serviceKey };
  }

  private unsealed(sealedKey: string): SealedKey | null {
    try {
      const text = this.keyRing.open(Buffer.from(sealedKey, 'base64url'), ASSOCIATED_DATA).toString('utf8');
      return JSON.parse(text) as SealedKey;
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }

  private nowSecs(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}
