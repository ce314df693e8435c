import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../audit/index.js';
import { CurrentOperator, decodeCursor, Endpoint, Page, pageOf, RequestOrigin } from '../http/index.js';
import type { OperatorCaller, Origin } from '../http/index.js';
import {
  ChangeProjectBody,
  CreateProjectBody,
  keyRoleOf,
  OperatorProjectQuery,
  ProjectDto,
  ProjectWithServiceKeyDto,
  RotateProjectKeyBody,
  toProjectChange,
  toProjectDto,
} from './dto/project.js';
import type { Project } from './project.repository.js';
import { ProjectRemoval } from './project-removal.js';
import { ProjectTokens } from './project-tokens.js';
import { Projects } from './projects.js';

@ApiTags('Operator')
@Controller('admin/v1/projects')
export class OperatorProjectsController {
  constructor(
    private readonly projects: Projects,
    private readonly removal: ProjectRemoval,
    private readonly tokens: ProjectTokens,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Projects, newest first',
    response: [ProjectDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit, cursor, search }: OperatorProjectQuery): Promise<Page<ProjectDto>> {
    const found = await this.projects.list(limit + 1, decodeCursor(cursor), search ?? null);
    const page = pageOf(found, limit, ({ id }) => id);
    return new Page(await Promise.all(page.items.map((project) => this.shown(project))), page.nextCursor);
  }

  @Endpoint.post('', {
    access: 'operator',
    summary: 'Create a project',
    description: 'The service key is in this answer and in no other. The anon key is always shown.',
    status: 201,
    response: ProjectWithServiceKeyDto,
    errors: ['validation_failed', 'ref_taken', 'host_taken'],
  })
  async create(
    @Body() { ref, name, hosts = [], redirect_urls: redirectUrls = [] }: CreateProjectBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectWithServiceKeyDto> {
    return await this.shownWithServiceKey(
      await this.projects.create({ ref, name, hosts, redirectUrls }, { actor: actorOf(operator), origin }),
    );
  }

  @Endpoint.get(':ref', {
    access: 'operator',
    summary: 'A project',
    response: ProjectDto,
    errors: ['project_not_found'],
  })
  async show(@Param('ref') ref: string): Promise<ProjectDto> {
    return await this.shown(await this.projects.find(ref));
  }

  @Endpoint.patch(':ref', {
    access: 'operator',
    summary: "Change a project's name, hosts or redirect URLs",
    response: ProjectDto,
    errors: ['validation_failed', 'project_not_found', 'host_taken'],
  })
  async change(
    @Param('ref') ref: string,
    @Body() body: ChangeProjectBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectDto> {
    const by = { actor: actorOf(operator), origin };
    return await this.shown(await this.projects.change(ref, toProjectChange(body), by));
  }

  @Endpoint.delete(':ref', {
    access: 'operator',
    summary: 'Delete a project with all that belongs to it',
    description: 'Its users, sessions, jobs, secrets and keys go; its audit entries stay.',
    status: 204,
    errors: ['project_not_found'],
  })
  async delete(
    @Param('ref') ref: string,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.removal.delete(ref, { actor: actorOf(operator), origin });
  }

  @Endpoint.post(':ref/keys/rotate', {
    access: 'operator',
    summary: 'Replace the anon key or the service key',
    description: 'The old one is refused everywhere within a second. A new service key is shown here only.',
    response: ProjectWithServiceKeyDto,
    errors: ['validation_failed', 'project_not_found'],
  })
  async rotate(
    @Param('ref') ref: string,
    @Body() body: RotateProjectKeyBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<ProjectWithServiceKeyDto> {
    const role = keyRoleOf(body);
    const project = await this.projects.rotateKey(ref, role, { actor: actorOf(operator), origin });
    return role === 'anon' ? await this.shown(project) : await this.shownWithServiceKey(project);
  }

  private async shown(project: Project): Promise<ProjectDto> {
    return toProjectDto(project, await this.tokens.keyOf(project, 'anon'));
  }

  private async shownWithServiceKey(project: Project): Promise<ProjectWithServiceKeyDto> {
    const serviceKey = await this.tokens.keyOf(project, 'service_role');
    return { ...(await this.shown(project)), service_key: serviceKey };
  }
}
