import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { CurrentOperator, Endpoint, ReceivedLines, RequestOrigin, TakesLines } from '../../http/index.js';
import type { BodyLine, OperatorCaller, Origin } from '../../http/index.js';
import { ImportQuery, ImportReportDto, toImportReportDto } from './dto.js';
import { UserImports } from './user-imports.js';

const EXAMPLE =
  '{"email":"ada@example.com","email_verified":true,"password_hash":"$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW","created_at":"2019-03-01T09:30:00Z"}\n';

/** Accounts of another system, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/users/import')
export class OperatorImportsController {
  constructor(private readonly imports: UserImports) {}

  @Endpoint.post('', {
    access: 'operator',
    summary: 'Import accounts of another system',
    description:
      'Newline-delimited JSON, at most 1,000 lines in one request; a larger file goes in several. Each line has ' +
      '`email`, and may have `email_verified`, `password_hash` (Argon2, bcrypt, scrypt or PBKDF2, in PHC or modular ' +
      'form), `metadata` and `created_at`, in profile organization `organizations` (`[{"slug","role"}]`), and in ' +
      'profile project the ref of its `project`. A line becomes an account with all of its memberships, or nothing. ' +
      'A line whose address has an account changes nothing, so that requests can be repeated. No mail is sent.',
    response: ImportReportDto,
    errors: ['validation_failed', 'payload_too_large', 'overloaded'],
  })
  @TakesLines('manifest', EXAMPLE)
  async import(
    @ReceivedLines() lines: BodyLine[],
    @Query() { first_line: firstLine }: ImportQuery,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<ImportReportDto> {
    const by = { actor: actorOf(operator), origin };
    return toImportReportDto(await this.imports.run(lines, { firstLine }, by));
  }
}
