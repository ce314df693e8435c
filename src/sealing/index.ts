export type { SealedColumn } from './seal-phase.repository.js';
export { SEAL_PHASE_EVERY_MS } from './seal-phase-watch.js';
export { sealPhasePlace, SealPhases } from './seal-phases.js';
export type { SealPhase } from './seal-phases.js';
export { SealingModule } from './sealing.module.js';
