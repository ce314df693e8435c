import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { KeyRing, UnsealError } from '../../../../platform/crypto/index.js';
import type { AssociatedData } from '../../../../platform/crypto/index.js';
import { Database, firstRow, rows } from '../../../../platform/database/index.js';
import type { Reader, Tx } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { MailFailedError, TenantSmtp } from '../../../../platform/mail/index.js';
import type { MailServer } from '../../../../platform/mail/index.js';

/** The settings as stored, with the password sealed. */
export interface MailSettingsRow extends Omit<MailServer, 'password'> {
  readonly sealedPassword: Buffer | null;
}

/** The associated data of a project's sealed password. */
export function mailPasswordAssociatedData(projectId: string): AssociatedData {
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

const FORBIDDEN_HOST = 'is at an address where projects may not name mail servers (auth.private_mail_hosts)';
const FORBIDDEN_PORT = 'must be 25, 465, 587 or 2525 (auth.private_mail_hosts)';

/** A change of a project's settings. */
export interface SettingsChange {
  readonly project: ResolvedProject;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** The mail server of each project. Its password is never shown, only sent to the server. */
@Injectable()
export class MailSettings {
  constructor(
    private readonly database: Database,
    private readonly repository: MailSettingsRepository,
    private readonly keys: KeyRing,
    private readonly servers: TenantSmtp,
    private readonly audit: AuditTrail,
  ) {}

  async find(projectId: string): Promise<MailSettingsRow | null> {
    return await this.repository.find(this.database.reader, projectId);
  }

  /** The server to send through; null when the project has none. @throws MailFailedError when its password does not open */
  async serverOf(projectId: string): Promise<MailServer | null> {
    const found = await this.find(projectId);
    if (found === null) return null;
    const { sealedPassword, ...settings } = found;
    try {
      const associatedData = mailPasswordAssociatedData(projectId);
      const password =
        sealedPassword === null ? null : this.keys.open(sealedPassword, associatedData).toString('utf8');
      return { ...settings, password };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw new MailFailedError('unsealable password', false);
    }
  }

  /** Replaces all of the settings. @throws validation_failed for a host or port that projects may not name */
  async put(change: SettingsChange, server: MailServer): Promise<void> {
    const { id } = change.project;
    const details = [
      ...(this.servers.mayName(server.host) ? [] : [{ path: 'host', message: FORBIDDEN_HOST }]),
      ...(this.servers.mayReach(server.port) ? [] : [{ path: 'port', message: FORBIDDEN_PORT }]),
    ];
    if (details.length > 0) throw new ServiceError('validation_failed', { details });
    const { password, ...settings } = server;
    const sealedPassword =
      password === null ? null : this.keys.seal(password, mailPasswordAssociatedData(id));
    await this.database.serialTransaction(id, change.actor, async (tx) => {
      await this.repository.put(tx, id, { ...settings, sealedPassword });
      const { host, port, from, tls } = server;
      await this.audit.append(tx, this.entry(change, 'mail_settings.changed', { host, port, from, tls }));
    });
  }

  /** @throws mail_settings_not_found */
  async delete(change: SettingsChange): Promise<void> {
    await this.database.serialTransaction(change.project.id, change.actor, async (tx) => {
      if (!(await this.repository.delete(tx, change.project.id)))
        throw new ServiceError('mail_settings_not_found');
      await this.audit.append(tx, this.entry(change, 'mail_settings.deleted', {}));
    });
  }

  private entry(
    { project, actor, origin }: SettingsChange,
    action: string,
    details: Readonly<Record<string, unknown>>,
  ): Parameters<AuditTrail['append']>[1] {
    const target = { type: 'project', id: project.id };
    return { actor, action, target, tenantId: project.id, userId: null, origin, details };
  }
}
