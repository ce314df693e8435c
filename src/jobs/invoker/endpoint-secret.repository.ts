import { Injectable } from '@nestjs/common';
import { firstRow } from '../../platform/database/index.js';
import type { Reader } from '../../platform/database/index.js';
import type { TenantId } from '../../http/index.js';

/** Which secret signs the calls of an endpoint. */
@Injectable()
export class EndpointSecretRepository {
  /** The path of the secret that signs the calls of a job; null where the job is gone, or no endpoint any more. */
  async secretPathOf(reader: Reader, tenantId: TenantId, jobId: string): Promise<string | null> {
    const found = await firstRow<{ path: string | null }>(
      reader,
      'SELECT signing_secret AS path FROM jobs WHERE tenant_id = $1 AND id = $2',
      [tenantId, jobId],
    );
    return found?.path ?? null;
  }
}
