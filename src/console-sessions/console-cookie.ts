import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicUrl } from '../http/index.js';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';

/**
 * A browser accepts a cookie with this prefix only over HTTPS or from the machine itself (RFC 6265bis, section 4.1.3).
 */
const NAME = '__Secure-service-console';
const PATH = '/console/session';

/** Keeps the credential that renews a console session where no script can read it. */
@Injectable()
export class ConsoleCookie {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Null without the cookie. */
  read(request: FastifyRequest): string | null {
    return parseCookie(request.headers.cookie ?? '')[NAME] ?? null;
  }

  set(reply: FastifyReply, value: string): void {
    this.send(reply, value, this.config.identity.refreshTtlSecs);
  }

  clear(reply: FastifyReply): void {
    this.send(reply, '', 0);
  }

  private send(reply: FastifyReply, value: string, maxAge: number): void {
    // A proxy may serve the program under a path prefix.
    const path = `${new URL(this.publicUrl.base).pathname.replace(/\/$/, '')}${PATH}`;
    const cookie = {
      name: NAME,
      value,
      maxAge,
      path,
      httpOnly: true,
      secure: true,
      sameSite: 'strict',
    } as const;
    void reply.header('Set-Cookie', stringifySetCookie(cookie));
  }
}
