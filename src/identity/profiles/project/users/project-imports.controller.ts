import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../../audit/index.js';
import {
  CurrentCaller,
  CurrentProject,
  Endpoint,
  ReceivedLines,
  RequestOrigin,
  TakesLines,
} from '../../../../http/index.js';
import type { BodyLine, Caller, Origin, ResolvedProject } from '../../../../http/index.js';
import { ImportQuery, ImportReportDto, toImportReportDto, UserImports } from '../../../imports/index.js';

const EXAMPLE =
  '{"email":"ada@example.com","password_hash":"$scrypt$ln=15,r=8,p=1$c29kaXVtY2hsb3JpZGU$RNJ2m4FHkGdD6m1ZL2xoFjqrWGe4CpBkZ0aN2QhqXmE"}\n';

/** Accounts of another system, for the holder of the project's service key. */
@ApiTags('Users')
@Controller('auth/v1/users/import')
export class ProjectImportsController {
  constructor(private readonly imports: UserImports) {}

  @Endpoint.post('', {
    access: 'service_key',
    summary: 'Import users of another system',
    description:
      'As `POST /admin/v1/users/import`, for this project alone and in bodies of at most 256 KiB. Lines need no ' +
      '`project`.',
    response: ImportReportDto,
    errors: ['validation_failed', 'payload_too_large'],
  })
  @TakesLines('document', EXAMPLE)
  async import(
    @CurrentProject() project: ResolvedProject,
    @CurrentCaller() caller: Caller,
    @ReceivedLines() lines: BodyLine[],
    @Query() { first_line: firstLine }: ImportQuery,
    @RequestOrigin() origin: Origin,
  ): Promise<ImportReportDto> {
    const scope = { firstLine, only: project.ref };
    return toImportReportDto(await this.imports.run(lines, scope, { actor: actorOf(caller), origin }));
  }
}
