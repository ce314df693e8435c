import { Injectable } from '@nestjs/common';
import type { SealedPlace } from '../../../../platform/crypto/index.js';
import { firstRow, rows } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import type { MailServer } from '../../../../platform/mail/index.js';

/** The settings as they lie in the database: the password sealed. */
export interface MailSettingsRow extends Omit<MailServer, 'password'> {
  readonly sealedPassword: Buffer | null;
}

/** Where the sealed password of a project lies. */
export function mailPasswordPlace(projectId: string): SealedPlace {
  return {
    tenantId: projectId,
    table: 'project_mail_settings',
    column: 'sealed_password',
    row: projectId,
  };
}

@Injectable()
export class MailSettingsRepository {
  async find(handle: Tx | Reader, projectId: string): Promise<MailSettingsRow | null> {
    return await firstRow<MailSettingsRow>(
      handle,
      `SELECT host, port, username AS "user", sealed_password AS "sealedPassword", sender AS "from", tls
       FROM project_mail_settings WHERE project_id = $1`,
      [projectId],
    );
  }

  async put(tx: Tx, projectId: string, settings: MailSettingsRow): Promise<void> {
    const { host, port, user, sealedPassword, from, tls } = settings;
    await rows(
      tx,
      `INSERT INTO project_mail_settings (project_id, host, port, username, sealed_password, sender, tls)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (project_id) DO UPDATE SET
         host = excluded.host, port = excluded.port, username = excluded.username,
         sealed_password = excluded.sealed_password, sender = excluded.sender, tls = excluded.tls,
         updated_at = now()`,
      [projectId, host, port, user, sealedPassword, from, tls],
    );
  }

  /** False when there were none. */
  async delete(tx: Tx, projectId: string): Promise<boolean> {
    const deleted = await rows(
      tx,
      'DELETE FROM project_mail_settings WHERE project_id = $1 RETURNING project_id',
      [projectId],
    );
    return deleted.length === 1;
  }
}
