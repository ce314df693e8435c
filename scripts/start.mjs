// npm start. The server runs in this very process, so that there is one pid to signal, watch or kill.
import { prepare } from './prepare/prepare.mjs';

await prepare();
await import('../dist/src/main.js');
