import type { Config } from '../../../../platform/config/index.js';

export type FunctionTiming = Config['timing']['functions'];
