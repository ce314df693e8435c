import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { KeyRing, UnsealError } from '../../../../platform/crypto/index.js';
import { Database } from '../../../../platform/database/index.js';
import { ServiceError } from '../../../../platform/http/index.js';
import type { Origin, ResolvedProject } from '../../../../platform/http/index.js';
import { TenantSmtp, MailFailedError } from '../../../../platform/mail/index.js';
import type { MailServer } from '../../../../platform/mail/index.js';
import { mailPasswordPlace, MailSettingsRepository } from './mail-settings.repository.js';
import type { MailSettingsRow } from './mail-settings.repository.js';

const FORBIDDEN_HOST = 'is at an address where projects may not name mail servers (auth.private_mail_hosts)';
const FORBIDDEN_PORT = 'must be 25, 465, 587 or 2525 (auth.private_mail_hosts)';

/** Who changes what of a project's settings. */
export interface SettingsChange {
  readonly project: ResolvedProject;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** The mail server of each project. Its password goes in and never comes out but to the server. */
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
      const place = mailPasswordPlace(projectId);
      const password =
        sealedPassword === null ? null : this.keys.open(sealedPassword, place).toString('utf8');
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
    const sealedPassword = password === null ? null : this.keys.seal(password, mailPasswordPlace(id));
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
    return { actor, action, target, orgId: project.id, userId: null, origin, details };
  }
}
