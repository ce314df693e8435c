import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';

const UNSPECIFIED = new Set(['0.0.0.0', '::']);

/**
 * The URL at which users reach the service: `identity.public_url`, or else the address on which this instance listens.
 * Never the Host header of a request: its sender chooses it, and a link made from it would carry the token to the
 * sender.
 */
@Injectable()
export class PublicUrl {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: HttpAdapterHost<FastifyAdapter>,
  ) {}

  /** Without a trailing slash. */
  get base(): string {
    return (this.config.identity.publicUrl ?? this.listeningUrl()).replace(/\/+$/, '');
  }

  private listeningUrl(): string {
    const address = this.host.httpAdapter.getInstance().server.address();
    if (address === null || typeof address === 'string') throw new Error('the program does not listen yet');
    const host = UNSPECIFIED.has(address.address) ? '127.0.0.1' : address.address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }
}
