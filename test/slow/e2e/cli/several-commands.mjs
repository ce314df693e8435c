// Carries out the command lines of its argument, a JSON array of arrays, one after the other, and prints a JSON
// array of how each ended. The commands of an operator load the whole program, which takes longer than they do.
const { runCommandLine } = await import('../../../../dist/servicectl/src/program.js');
const { addOperatorCommands } = await import('../../../../dist/src/cli/commands/operator-commands.js');

const print = process.stdout.write.bind(process.stdout);
const outcomes = [];
for (const args of JSON.parse(process.argv[2])) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  }
  const code = await runCommandLine(args, addOperatorCommands);
  outcomes.push({ code, ...written });
}
print(JSON.stringify(outcomes));
