import ts from 'typescript';

const PATH = new URL('./snippet.ts', import.meta.url).pathname;

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  experimentalDecorators: true,
};

const host = ts.createCompilerHost(options);

/** A module whose statements are numbered functions, each with a reader and a transaction. */
function moduleOf(statements: readonly string[]): string {
  const imports = `import { EntitySchema } from 'typeorm';
    import { firstRow, rows } from '../../../src/platform/database/index.js';
    import type { Reader, Tx } from '../../../src/platform/database/index.js';
    export const Thing = new EntitySchema<{ id: string }>({ name: 'things', columns: {} });
    export const column: string = 'id';\n`;
  const functions = statements.map(
    (statement, index) =>
      `export async function f${index}(reader: Reader, tx: Tx): Promise<unknown> { return await ${statement}; }`,
  );
  return imports + functions.join('\n');
}

/** Of the statements, those that do not compile. */
function refused(statements: readonly string[]): string[] {
  const text = moduleOf(statements);
  const read = host.getSourceFile.bind(host);
  const withModule: ts.CompilerHost = {
    ...host,
    fileExists: (path) => path === PATH || host.fileExists(path),
    readFile: (path) => (path === PATH ? text : host.readFile(path)),
    getSourceFile: (path, version) =>
      path === PATH ? ts.createSourceFile(path, text, version) : read(path, version),
  };
  const program = ts.createProgram([PATH], options, withModule);
  const found = program.getSemanticDiagnostics(program.getSourceFile(PATH));
  const lines = text.split('\n');
  const places = new Set(
    found.map(({ file, start = 0 }) => file?.getLineAndCharacterOfPosition(start).line ?? -1),
  );
  return statements.filter((_, index) => places.has(lines.length - statements.length + index));
}

const READS = [
  `rows(reader, 'SELECT 1')`,
  'rows(reader, `SELECT ${column} FROM things`, [])',
  `firstRow(reader, 'SELECT 1')`,
  'reader.find(Thing)',
  `reader.createQueryBuilder(Thing, 'thing').where('id = :id', { id: '1' }).getMany()`,
];

const WRITES = [
  `rows(reader, 'DELETE FROM things')`,
  'rows(reader, `UPDATE things SET ${column} = 1`)',
  `firstRow(reader, 'WITH gone AS (DELETE FROM things RETURNING id) SELECT id FROM gone')`,
  'firstRow(reader, `INSERT INTO things DEFAULT VALUES RETURNING ${column}`)',
  'rows(reader, column)',
  `reader.query('DELETE FROM things')`,
  `reader.save(Thing, { id: '1' })`,
  `reader.delete(Thing, '1')`,
  `reader.createQueryBuilder(Thing, 'thing').delete().execute()`,
  `reader.createQueryBuilder(Thing, 'thing').where('id = :id', { id: '1' }).update({ id: '2' }).execute()`,
];

const WRITES_IN_TRANSACTION = WRITES.map((statement) => statement.replaceAll('reader', 'tx'));

describe('a reader of the database', () => {
  it('compiles reads and refuses to compile every kind of write, and a transaction compiles both', () => {
    expect(refused([...READS, ...WRITES, ...WRITES_IN_TRANSACTION])).toEqual(WRITES);
  });
});
