import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { AuthMetrics } from '../../platform/metrics/index.js';
import { Vault } from '../../vault/index.js';
import type { Hook } from './hook.repository.js';
import { isSigned } from './signatures/index.js';
import type { SignedRequest } from './signatures/index.js';

/** Says whether a call comes from whoever knows the hook's secret. */
@Injectable()
export class HookVerifier {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly metrics: AuthMetrics,
  ) {}

  /** @throws invalid_signature */
  async requireSigned(hook: Hook, request: SignedRequest): Promise<void> {
    // Read anew for each call: a rotated secret counts at once.
    const secret = await this.secretOf(hook);
    if (isSigned(request, hook.verification, secret, this.clock.now())) return;
    this.metrics.record('hook_signature_check', 'invalid_signature');
    throw new ServiceError('invalid_signature');
  }

  private async secretOf({ tenantId, secretPath }: Hook): Promise<string | null> {
    if (secretPath === null) return this.config.jobs.webhookSecret;
    return await this.vault.read(this.database.reader, tenantId, secretPath);
  }
}
