export type { SealedColumn } from './seal-phase.repository.js';
export { sealPhasePlace, SealPhases } from './seal-phases.js';
export type { SealPhase } from './seal-phases.js';
export { SealingModule } from './sealing.module.js';
