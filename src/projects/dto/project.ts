import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EnumField, ListField, NameField, PageQuery, PatternField, TextField } from '../../http/index.js';
import { PROJECT_REF } from '../project.repository.js';
import type { Project, ProjectKeyRole } from '../project.repository.js';
import type { ProjectChange } from '../projects.js';

const MAX_HOSTS = 100;
const MAX_REDIRECT_URLS = 100;

export class OperatorProjectQuery extends PageQuery {
  @TextField(1, 254, {
    optional: true,
    description:
      'How words of the ref and of the name begin: `nor tra` finds "Northwind Traders". Single Latin letters and digits are ignored; alone, they find nothing.',
    example: 'northwind',
  })
  search?: string;
}

export class CreateProjectBody {
  @PatternField(
    PROJECT_REF,
    'must be 3 to 40 lower-case letters, digits and hyphens, beginning with a letter',
    { example: 'acme' },
  )
  ref!: string;

  @NameField({ example: 'Acme' })
  name!: string;

  @ListField({
    of: 'host names',
    max: MAX_HOSTS,
    optional: true,
    example: ['auth.acme.example.com'],
    description: 'Host names whose requests are for this project, without port.',
  })
  hosts?: string[];

  @ListField({
    of: 'URLs',
    max: MAX_REDIRECT_URLS,
    optional: true,
    example: ['https://app.acme.example.com/*'],
    description: 'Where the pages of mails may lead. A path may end in `/*` for every path under it.',
  })
  redirect_urls?: string[];
}

export class ChangeProjectBody {
  @NameField({ optional: true })
  name?: string;

  @ListField({
    of: 'host names',
    max: MAX_HOSTS,
    optional: true,
    example: ['auth.acme.example.com'],
    description: 'All of the hosts from now on.',
  })
  hosts?: string[];

  @ListField({
    of: 'URLs',
    max: MAX_REDIRECT_URLS,
    optional: true,
    example: ['https://app.acme.example.com/*'],
    description: 'All of the redirect URLs from now on.',
  })
  redirect_urls?: string[];
}

export class RotateProjectKeyBody {
  @EnumField(['anon', 'service'])
  key!: 'anon' | 'service';
}

export class ProjectDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, example: 'acme' })
  ref!: string;

  @ApiProperty({ type: String, example: 'Acme' })
  name!: string;

  @ApiProperty({ type: [String], example: ['auth.acme.example.com'] })
  hosts!: string[];

  @ApiProperty({ type: [String], example: ['https://app.acme.example.com/*'] })
  redirect_urls!: string[];

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, description: 'For browsers and apps; it is not secret.' })
  anon_key!: string;
}

export class ProjectWithServiceKeyDto extends ProjectDto {
  @ApiPropertyOptional({
    type: String,
    description: 'Has all rights in the project. Shown only when it is created or replaced.',
  })
  service_key?: string;
}

export function keyRoleOf({ key }: RotateProjectKeyBody): ProjectKeyRole {
  return key === 'anon' ? 'anon' : 'service_role';
}

/** The fields that are given. */
export function toProjectChange({
  name,
  hosts,
  redirect_urls: redirectUrls,
}: ChangeProjectBody): ProjectChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(redirectUrls === undefined ? {} : { redirectUrls }),
  };
}

export function toProjectDto(project: Project, anonKey: string): ProjectDto {
  return {
    id: project.id,
    ref: project.ref,
    name: project.name,
    hosts: [...project.hosts],
    redirect_urls: [...project.redirectUrls],
    created_at: project.createdAt.toISOString(),
    anon_key: anonKey,
  };
}
