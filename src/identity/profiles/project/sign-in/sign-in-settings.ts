import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../../audit/index.js';
import type { Actor } from '../../../../audit/index.js';
import { Database } from '../../../../platform/database/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { RelyingParties } from '../../../passkeys/relying-party.js';
import type { RelyingParty } from '../../../passkeys/relying-party.js';
import { SignInPolicyRepository } from '../../../users/sign-in-policies.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import { ProjectRelyingPartyRepository } from './project-relying-party.repository.js';

/** How the users of a project sign in. */
export interface SignInSettings {
  readonly requiresFactor: boolean;
  readonly relyingParty: RelyingParty;
}

/** What is to be changed; undefined leaves it. */
export interface SignInSettingsChange {
  readonly requiresFactor?: boolean | undefined;
  /** Null for that of the project's host. */
  readonly relyingParty?: RelyingParty | null | undefined;
}

/** Who changes the settings of which project. */
export interface SettingsAuthor {
  readonly project: ResolvedProject;
  readonly actor: Actor;
  readonly origin: Origin;
}

/** What a project demands of the sign-ins of its users, and to whom their passkeys belong. */
@Injectable()
export class ProjectSignInSettings {
  constructor(
    private readonly database: Database,
    private readonly policies: SignInPolicyRepository,
    private readonly own: ProjectRelyingPartyRepository,
    private readonly relyingParties: RelyingParties,
    private readonly audit: AuditTrail,
  ) {}

  /** Those in force. */
  async find(project: ResolvedProject): Promise<SignInSettings> {
    const realmId = realmOf(project);
    return {
      requiresFactor: await this.policies.requiresFactor(this.database.reader, realmId),
      relyingParty: await this.relyingParties.of(realmId),
    };
  }

  /** Changes what is given, and returns what is in force then. Sessions that are open stay open. */
  async change(
    { project, actor, origin }: SettingsAuthor,
    { requiresFactor, relyingParty }: SignInSettingsChange,
  ): Promise<SignInSettings> {
    const { id } = project;
    await this.database.serialTransaction(id, actor, async (tx) => {
      if (requiresFactor !== undefined)
        await this.policies.requireFactor(tx, realmOf(project), requiresFactor);
      if (relyingParty === null) await this.own.delete(tx, id);
      else if (relyingParty !== undefined) await this.own.put(tx, id, relyingParty);
      await this.audit.append(tx, {
        actor,
        action: 'sign_in_settings.changed',
        target: { type: 'project', id },
        tenantId: id,
        userId: null,
        origin,
        details: {
          ...(requiresFactor === undefined ? {} : { require_second_factor: requiresFactor }),
          ...(relyingParty === undefined ? {} : { passkeys: relyingParty }),
        },
      });
    });
    return await this.find(project);
  }
}
