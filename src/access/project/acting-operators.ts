import { Injectable } from '@nestjs/common';
import { needsTenant, ServiceError } from '../../http/index.js';
import type { Access, OperatorCaller, ServiceRequest, UserCaller } from '../../http/index.js';
import { ProjectDirectory } from '../../projects/index.js';
import type { Project } from '../../projects/index.js';
import { factorRequired, OperatorCredentials } from '../credentials/operator-credentials.js';

/** The header in which an operator names the project to act in. Keys and access tokens of a project do not need it. */
export const PROJECT_HEADER = 'x-service-project';

const READING = new Set(['GET', 'HEAD']);

/** An operator, and the project that the request names. */
export interface ActingOperator {
  readonly operator: OperatorCaller;
  readonly project: Project;
}

/** Lets operators do everything in any project that its service key allows, under their own name. */
@Injectable()
export class ActingOperators {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly credentials: OperatorCredentials,
  ) {}

  /**
   * Null for a request without the header or without an operator's token, since a handler may forward the header of its
   * call.
   * @throws session_revoked, second_factor_required, operator_read_only, project_not_found
   */
  async of(request: ServiceRequest, access: Access): Promise<ActingOperator | null> {
    const { [PROJECT_HEADER]: ref, apikey } = request.headers;
    const isOpen = access === 'service_key' || needsTenant(access);
    if (!isOpen || typeof ref !== 'string' || apikey !== undefined) return null;
    const identified = await this.credentials.identify(request);
    if ('code' in identified) {
      if (identified.code === 'session_revoked') throw new ServiceError('session_revoked');
      if (identified.code === 'second_factor_required') throw factorRequired();
      return null;
    }
    const project = await this.directory.findByRef(ref);
    if (project === null) throw new ServiceError('project_not_found');
    if (identified.access === 'read_only' && !READING.has(request.method))
      throw new ServiceError('operator_read_only');
    return { operator: identified, project };
  }

  /**
   * The operator as the user of their own account. Null for a request that names a project in any way.
   * @throws session_revoked
   */
  async ownAccount(request: ServiceRequest): Promise<UserCaller | null> {
    const { [PROJECT_HEADER]: ref, apikey } = request.headers;
    if (ref !== undefined || apikey !== undefined) return null;
    return (await this.directory.findByHost(request.host)) === null
      ? await this.credentials.ownAccount(request)
      : null;
  }
}
