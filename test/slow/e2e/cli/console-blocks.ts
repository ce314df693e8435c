/** A command of a document, and what the document says that it prints. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

const BLOCK = /```console\n([^]*?)```/g;

/** The commands in the `console` blocks of a document, in their order: `$ command` and lines of output. */
export function stepsOf(document: string): Step[] {
  return [...document.matchAll(BLOCK)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.split('\n');
        return { command, output: output.join('\n').trimEnd() };
      }),
  );
}

/** The document with other steps in place of its own. */
export function withSteps(document: string, steps: readonly Step[]): string {
  const left = [...steps];
  return document.replaceAll(BLOCK, (_, block: string) => {
    const own = left.splice(0, stepsOf(`\`\`\`console\n${block}\`\`\``).length);
    const text = own.map(({ command, output }) => `$ ${command}\n${output === '' ? '' : `${output}\n`}`);
    return `\`\`\`console\n${text.join('')}\`\`\``;
  });
}

const RUN_ID = /run_[0-9A-HJKMNP-TV-Z]{26}/g;

export function runIdsIn(text: string): string[] {
  return text.match(RUN_ID) ?? [];
}

const LOG_LINES = /(?:^(?:<date> )?<time>\.<ms>Z? (?:debug|info|warn|error) .*\n?)+/gm;

/**
 * What differs from one time to the next, made alike; an instant keeps its form, which says whether it has a date, a
 * fraction or a zone; columns keep their order and lose their widths, and lines of a log lose theirs: what a handler prints may arrive after the line that tells its answer.
 */
export function alike(text: string): string {
  return text
    .replaceAll(RUN_ID, 'run_…')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?=[T ])/g, '<date>')
    .replaceAll(/(?<=\b|T)\d\d:\d\d:\d\d(?:\.\d{3})?/g, (time) =>
      time.includes('.') ? '<time>.<ms>' : '<time>',
    )
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<duration>')
    .replaceAll(/\b127\.0\.0\.1:\d+\b/g, '127.0.0.1:8080')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(LOG_LINES, (lines) => lines.split('\n').sort().join('\n'));
}
