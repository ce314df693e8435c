import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import type { RelyingParty } from '../../../passkeys/relying-party.js';

/** The relying parties that projects set themselves. */
@Injectable()
export class ProjectRelyingPartyRepository {
  async find(handle: Tx | Reader, projectId: string): Promise<RelyingParty | null> {
    return await firstRow<RelyingParty>(
      handle,
      'SELECT rp_id AS id, rp_name AS name, origins FROM project_relying_parties WHERE project_id = $1',
      [projectId],
    );
  }

  async put(tx: Tx, projectId: string, { id, name, origins }: RelyingParty): Promise<void> {
    await rows(
      tx,
      `INSERT INTO project_relying_parties (project_id, rp_id, rp_name, origins) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id) DO UPDATE SET
         rp_id = excluded.rp_id, rp_name = excluded.rp_name, origins = excluded.origins`,
      [projectId, id, name, origins],
    );
  }

  async delete(tx: Tx, projectId: string): Promise<void> {
    await rows(tx, 'DELETE FROM project_relying_parties WHERE project_id = $1', [projectId]);
  }
}
