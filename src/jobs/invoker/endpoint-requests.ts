import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../http/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { ForeignHosts } from '../../platform/network/index.js';
import { ForeignClient, OutboundFailedError } from '../../platform/outbound/index.js';
import { Vault } from '../../vault/index.js';
import { endpointKeys, standardHeaders } from '../signing/index.js';
import { within } from './call-limit.js';
import type { CallLimit } from './call-limit.js';
import { EndpointSecretRepository } from './endpoint-secret.repository.js';
import { endpointProblem } from './endpoint-url.js';
import type { HandlerCall, PreparedCall } from './handler-call.js';

/** The calls of an endpoint cannot be signed. */
export class SigningSecretError extends Error {
  override name = 'SigningSecretError';
}

/** Some servers refuse requests without one. */
const USER_AGENT = 'Service-Webhooks';

/** The way to endpoints, which the operator may open to private networks. */
@Injectable()
export class EndpointClient extends ForeignClient {
  /** Why it never calls a URL; null where it may. */
  readonly problemOf: (url: string) => string | null;

  constructor(@Inject(CONFIG) { jobs }: Config) {
    const hosts = new ForeignHosts(jobs.privateEndpoints);
    super(hosts);
    this.problemOf = (url) => endpointProblem(url, jobs.privateEndpoints, hosts);
  }
}

/** Prepares calls to endpoints. These belong to others, so that such a call has a signature and no token. */
@Injectable()
export class EndpointRequests {
  constructor(
    private readonly database: Database,
    private readonly secrets: EndpointSecretRepository,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly client: EndpointClient,
  ) {}

  /** @throws OutboundFailedError, SigningSecretError */
  async prepare(
    { id, tenantId, jobId, handler: url, payload }: HandlerCall,
    limit: CallLimit,
  ): Promise<PreparedCall> {
    // Registered while the operator allowed it.
    const problem = this.client.problemOf(url);
    if (problem !== null) throw new OutboundFailedError(`the handler ${problem}`);
    const keys = await within(limit, this.keysOf(tenantId, jobId));
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      ...standardHeaders({ id, sentAt: this.clock.now(), body: payload }, keys),
    };
    return { client: this.client, url, headers, isFunction: false, mayDefer: false };
  }

  /** Read for each call, so that a rotated secret takes effect at once. */
  private async keysOf(tenantId: TenantId, jobId: string): Promise<Buffer[]> {
    const { reader } = this.database;
    const path = await this.secrets.secretPathOf(reader, tenantId, jobId);
    if (path === null) throw new SigningSecretError('the job has no signing_secret any more');
    const secret = await this.vault.read(reader, tenantId, path);
    if (secret === null) throw new SigningSecretError(`there is no secret ${path}, which signs the calls`);
    const keys = endpointKeys(secret);
    if (keys === null)
      throw new SigningSecretError(
        `the secret ${path} signs nothing: it must be whsec_ and the base64 of 24 to 64 bytes, or two to four of these ` +
          'with a space between them',
      );
    return keys;
  }
}
