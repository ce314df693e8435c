// `npm pack` and `npm publish` build first: a package without dist/ would install and load nothing.
import { fileURLToPath } from 'node:url';

const tsdown = await import('tsdown').catch(() => null);
if (tsdown === null) {
  process.stderr.write(
    'The client cannot be packed: tsdown, which builds it, is not installed. Run `npm ci` in the root of the repository first.\n',
  );
  process.exit(1);
}
await tsdown.build({ cwd: fileURLToPath(new URL('.', import.meta.url)), logLevel: 'warn' });
