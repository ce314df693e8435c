import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { checksAttempt, needsTenant, requestOf, routeAccess, ServiceError } from '../../http/index.js';
import type { Access, ServiceRequest, Caller, ResolvedProject, Tenant } from '../../http/index.js';
import { ProjectDirectory, USER_PERMISSIONS } from '../../projects/index.js';
import type { Project } from '../../projects/index.js';
import { RunTokenBounds } from '../credentials/run-token-bounds.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';
import { ActingOperators, PROJECT_HEADER } from './acting-operators.js';
import { PresentedTokens } from './presented-tokens.js';
import { requireCaller } from './project-requirements.js';

/**
 * Finds the project that a request is for, by its credentials and its host, and its caller. A route that declares no
 * access is refused.
 */
@Injectable()
export class ProjectGuard implements CanActivate {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly tokens: PresentedTokens,
    private readonly operators: ActingOperators,
    private readonly runTokenBounds: RunTokenBounds,
    private readonly unauthenticated: UnauthenticatedRequests,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access, isForOperatorsToo, runTokens } = routeAccess(context);
    if (access === undefined)
      throw new ServiceError('permission_denied', { message: 'This route is not open to anyone.' });
    // Another guard checks the operator's token.
    if (access === 'operator') return true;
    const request = requestOf(context);
    if (access !== 'public') {
      try {
        const own = isForOperatorsToo ? await this.operators.ownAccount(request) : null;
        if (own === null)
          await this.identify(context, request, { access, ofAttempts: checksAttempt(runTokens) });
        else request.caller = own;
      } catch (error) {
        await this.unauthenticated.countRefused(context, error);
        throw error;
      }
    }
    const { caller } = request;
    // The anon key is public, so it authenticates nobody.
    const isAnonymous = caller === undefined || (caller.type === 'project_key' && caller.role === 'anon');
    if (isAnonymous) await this.unauthenticated.count(context);
    return true;
  }

  private async identify(
    context: ExecutionContext,
    request: ServiceRequest,
    { access, ofAttempts }: { access: Access; ofAttempts: boolean },
  ): Promise<void> {
    // Fastify takes it from the Host header, and from X-Forwarded-Host only with server.trust_proxy.
    const byHost = await this.directory.findByHost(request.host);
    const acting = await this.operators.of(request, access);
    if (acting !== null) {
      const { project, operator } = acting;
      theOne([project, ...(byHost === null ? [] : [byHost])]);
      identifyAs(request, project, operator, access);
      return;
    }
    // A caller of a project's address may send credentials that are not ours.
    const isAddressed = access === 'addressed' && byHost !== null;
    const presented = isAddressed ? [] : await this.tokens.of(request, ofAttempts);
    const project = theOne([
      ...presented.map((token) => token.project),
      ...(byHost === null ? [] : [byHost]),
    ]);
    if (project === null && access !== 'optional') throw new ServiceError('project_required');
    if (!isAddressed && project !== null) requireNamed(request, project);
    const callers = presented.map(({ caller }) => caller);
    if (callers[0]?.type === 'run') await this.runTokenBounds.require(context, callers[0]);
    requireCaller(access, callers);
    if (project === null) return;
    const key = callers.find(({ type }) => type === 'project_key');
    if (key?.type === 'project_key') request.projectKey = key;
    identifyAs(request, project, callers[0], access);
  }
}

/** @throws project_mismatch when the header that operators send names another project */
function requireNamed({ headers }: ServiceRequest, { ref }: Project): void {
  const named = headers[PROJECT_HEADER];
  if (named !== undefined && named !== ref) throw new ServiceError('project_mismatch');
}

function identifyAs(
  request: ServiceRequest,
  { id, ref, name }: Project,
  caller: Caller | undefined,
  access: Access,
): void {
  request.project = { id, ref, name };
  if (caller === undefined) return;
  request.caller = caller;
  if (needsTenant(access)) request.tenant = tenantOf(request.project, caller);
}

/** @throws project_mismatch if they are not all the same project */
function theOne(named: readonly Project[]): Project | null {
  const [first] = named;
  if (named.some(({ id }) => id !== first?.id)) throw new ServiceError('project_mismatch');
  return first ?? null;
}

/** The project as the tenant that a caller acts in. The anon key is public and may do nothing here. */
export function tenantOf({ id, ref, name }: ResolvedProject, caller: Caller): Tenant {
  const project = { id, slug: ref, name };
  if (caller.type === 'user')
    return { ...project, role: 'authenticated', permissions: USER_PERMISSIONS, reach: 'own' };
  if (caller.type === 'run') {
    const { permissions, userId } = caller;
    return userId === null
      ? { ...project, role: 'service_role', permissions, reach: 'all' }
      : { ...project, role: 'authenticated', permissions, reach: 'own' };
  }
  if (caller.type === 'operator') return { ...project, role: 'operator', permissions: ['*'], reach: 'all' };
  return caller.type === 'project_key' && caller.role === 'service_role'
    ? { ...project, role: 'service_role', permissions: ['*'], reach: 'all' }
    : { ...project, role: 'anon', permissions: [], reach: 'own' };
}
