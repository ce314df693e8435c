import { readFileSync } from 'node:fs';
import { addAbsentOperatorCommands } from '../../../servicectl/src/commands/absent-operator-commands.js';
import { addOperatorCommands } from '../../../src/cli/commands/operator-commands.js';
import { Command } from 'commander';
import { VERSION } from '../../../servicectl/src/version.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

function namesOf(addCommands: (program: Command) => void): string[] {
  const program = new Command();
  addCommands(program);
  return program.commands.map((command) => command.name());
}

describe('the packages', () => {
  it('of the program, the command line and the client have one version, which the API document and servicectl name', () => {
    const versions = ['package.json', 'servicectl/package.json', 'client/package.json'].map(
      (path) => (JSON.parse(read(path)) as { version: string }).version,
    );
    const ofTheDocument = /^export const VERSION = '(.+)';$/m.exec(read('src/http/openapi/openapi.ts'))?.[1];
    expect([...versions, ofTheDocument]).toEqual([VERSION, VERSION, VERSION, VERSION]);
  });

  it('for users refuses by name each command that the program has for operators', () => {
    expect(namesOf(addAbsentOperatorCommands)).toEqual(namesOf(addOperatorCommands));
  });
});
