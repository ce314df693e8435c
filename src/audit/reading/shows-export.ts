import { ApiResponse } from '@nestjs/swagger';

/** Documents the body of an export. */
export function ShowsExport(): MethodDecorator {
  const schema = { type: 'string' } as const;
  return ApiResponse({
    status: 200,
    description: 'The entries, as they are read. The file is whole if the response ends without an error.',
    content: { 'application/x-ndjson': { schema }, 'text/csv': { schema } },
  });
}
