// npm start. The server runs in this very process, so that there is one pid to signal, watch or kill.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare/prepare.mjs';
import { repoRoot } from './prepare/report.mjs';

await prepare();
if (!mayConfigureFunctions()) {
  process.env.SERVICE_FUNCTIONS__DIR = fileURLToPath(new URL('examples/hello/functions', repoRoot));
}
await import('../dist/src/main.js');

/** A file may say that there are no functions by not naming any, so its being there is enough. */
function mayConfigureFunctions() {
  const variables = Object.entries(process.env).filter(([, text]) => text);
  return (
    variables.some(([name]) => name === 'SERVICE_CONFIG' || name.startsWith('SERVICE_FUNCTIONS__')) ||
    existsSync('service.toml')
  );
}
