import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString, Matches } from 'class-validator';
import { NameField, Omittable } from '../../http/index.js';
import { PROJECT_REF } from '../project.repository.js';
import type { Project, ProjectKeyRole } from '../project.repository.js';

const MAX_HOSTS = 100;

export class CreateProjectBody {
  @ApiProperty({ type: String, pattern: PROJECT_REF.source, example: 'acme' })
  @IsString({ message: 'must be text' })
  @Matches(PROJECT_REF, {
    message: 'must be 3 to 40 lower-case letters, digits and hyphens, beginning with a letter',
  })
  ref!: string;

  @NameField({ example: 'Acme' })
  name!: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_HOSTS,
    example: ['auth.acme.example.com'],
    description: 'Host names whose requests are for this project, without port.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list of host names' })
  @ArrayMaxSize(MAX_HOSTS, { message: `must have at most ${MAX_HOSTS} hosts` })
  hosts?: string[];
}

export class ChangeProjectBody {
  @Omittable()
  @NameField({ required: false })
  name?: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_HOSTS,
    example: ['auth.acme.example.com'],
    description: 'All of the hosts from now on.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list of host names' })
  @ArrayMaxSize(MAX_HOSTS, { message: `must have at most ${MAX_HOSTS} hosts` })
  hosts?: string[];
}

export class RotateProjectKeyBody {
  @ApiProperty({ enum: ['anon', 'service'] })
  @IsIn(['anon', 'service'], { message: 'must be "anon" or "service"' })
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

export function toProjectDto(project: Project, anonKey: string): ProjectDto {
  return {
    id: project.id,
    ref: project.ref,
    name: project.name,
    hosts: [...project.hosts],
    created_at: project.createdAt.toISOString(),
    anon_key: anonKey,
  };
}
