import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../../../platform/config/index.js';
import type { Config } from '../../../../platform/config/index.js';
import { Database } from '../../../../platform/database/index.js';
import { DeploymentRelyingParty, RelyingParties } from '../../../passkeys/relying-party.js';
import type { RelyingParty } from '../../../passkeys/relying-party.js';
import type { RealmId } from '../../../users/user.repository.js';
import { ProjectNames } from '../projects.js';
import type { ProjectWithHosts } from '../projects.js';
import { ProjectRelyingPartyRepository } from './project-relying-party.repository.js';

/**
 * A project's users have the relying party that the project sets; without one, that of its first host, on all of its
 * hosts; without hosts, that of its subdomain of `auth.project_domain`; without that too, the deployment's. Operators
 * have passkeys in the console alone.
 */
@Injectable()
export class ProjectRelyingParties extends RelyingParties {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly deployment: DeploymentRelyingParty,
    private readonly projects: ProjectNames,
    private readonly own: ProjectRelyingPartyRepository,
  ) {
    super();
  }

  async of(realmId: RealmId): Promise<RelyingParty> {
    const project = await this.projects.findById(realmId);
    if (project === null) return this.deployment.console();
    const own = await this.own.find(this.database.reader, project.id);
    if (own !== null) return own;
    const hosts = this.hostsOf(project);
    const [id] = hosts;
    if (id === undefined) return { ...this.deployment.get(), name: project.name };
    return { id, name: project.name, origins: hosts.map((host) => `https://${host}`) };
  }

  private hostsOf({ ref, hosts }: ProjectWithHosts): readonly string[] {
    const { projectDomain } = this.config.auth;
    if (hosts.length > 0 || projectDomain === null) return hosts;
    return [`${ref}.${projectDomain}`];
  }
}
