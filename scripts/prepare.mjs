// Installs and builds what is missing, and does nothing else.
import { prepare } from './prepare/prepare.mjs';

await prepare({ redis: 'always' });
