import { ApiProperty } from '@nestjs/swagger';
import { QueryIntField } from '../../http/index.js';
import { IMPORT_PROBLEMS } from './import-report.js';
import type { ImportProblemCode, ImportReport } from './import-report.js';

const MAX_LINE = 1_000_000_000;

export class ImportQuery {
  @QueryIntField(1, MAX_LINE, {
    optional: true,
    description:
      'The number that the first line of the body has in the whole file. Problems are numbered from it.',
    default: 1,
  })
  first_line = 1;
}

export class ImportProblemDto {
  @ApiProperty({ type: Number, description: 'Of the file, from 1 on.' })
  line!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The address, where the line has one.' })
  email!: string | null;

  @ApiProperty({ enum: Object.keys(IMPORT_PROBLEMS) })
  code!: ImportProblemCode;

  @ApiProperty({ type: String, description: 'What is wrong.' })
  message!: string;

  @ApiProperty({ type: String, description: 'What to do.' })
  hint!: string;
}

export class ImportReportDto {
  @ApiProperty({ type: Number, description: 'Accounts that were created.' })
  created!: number;

  @ApiProperty({ type: Number, description: 'Lines whose address had an account, which stays as it is.' })
  skipped!: number;

  @ApiProperty({ type: Number, description: 'Lines that have to be corrected.' })
  refused!: number;

  @ApiProperty({
    type: [ImportProblemDto],
    description: 'Each line that became no account, skipped ones included, in the order of the lines.',
  })
  problems!: ImportProblemDto[];
}

export function toImportReportDto({ created, problems }: ImportReport): ImportReportDto {
  const skipped = problems.filter(({ code }) => code === 'exists').length;
  return {
    created,
    skipped,
    refused: problems.length - skipped,
    problems: problems.map(({ line, email, code, message }) => ({
      line,
      email,
      code,
      message,
      hint: IMPORT_PROBLEMS[code],
    })),
  };
}
