import { ERROR_CODES } from './error-codes.js';

const HEADER = `# Error codes

<!-- Made from src/http/errors/error-codes.ts by \`npm run docs:errors\`; do not edit. -->

Every error of every path has the same body. Decide by \`code\`, which is stable; \`message\` is for people.
\`hint\` says what to do next, where there is something to say. \`details\` lists each invalid field.

\`\`\`json
{
  "error": {
    "code": "validation_failed",
    "message": "Fields are missing, unknown or invalid; details lists each with its path.",
    "status": 400,
    "details": [{ "path": "jobs[0].handler", "message": "is not a deployed function; none is deployed" }]
  }
}
\`\`\`
`;

/** The text of docs/errors.md: the error body, and each code with its status and meaning. */
export function renderErrorReference(): string {
  const lines = Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  return `${HEADER}\n${table([['Code', 'Status', 'Meaning'], ...lines])}`;
}

/** A Markdown table, formatted as prettier would format it. */
function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('');
}
