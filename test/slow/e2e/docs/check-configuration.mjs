// Loads the configuration that a start in this folder, with these variables, would have.
import { loadConfig } from '../../../../dist/src/platform/config/index.js';

loadConfig();
